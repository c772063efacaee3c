// The only counter of PortCounters with different positions in libibmad and in OpenSM's ib_types.h.

#include <arpa/inet.h>
#include <iba/ib_types.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "wire/performance/port_counters.h"

using namespace pssp;

TEST_CASE("QP1Dropped is at the position of ib_types.h") {
  PortCounters counters;
  counters.port = 3;
  counters.qp1_dropped = 0x1234;
  counters.vl15_dropped = 0x5678;
  counters.transmit_wait = 0x9abcdef0;
  const MadData data = encode_port_counters(counters);
  ib_port_counters_t raw;
  std::memcpy(&raw, data.data(), sizeof raw);
  CHECK(raw.port_select == 3);
  CHECK(ntohs(raw.qp1_dropped) == 0x1234);
  CHECK(ntohs(raw.vl15_dropped) == 0x5678);
  CHECK(ntohl(raw.xmit_wait) == 0x9abcdef0);
}
