// Compares the positions of counters with those in libibmad.

#include <infiniband/mad.h>

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "wire/performance/port_counters.h"

using namespace pssp;

namespace {

struct TheirField {
  std::string_view name;
  MAD_FIELDS field;
};

constexpr TheirField narrow[] = {
    {"SymbolErrorCounter", IB_PC_ERR_SYM_F},
    {"LinkErrorRecoveryCounter", IB_PC_LINK_RECOVERS_F},
    {"LinkDownedCounter", IB_PC_LINK_DOWNED_F},
    {"PortRcvErrors", IB_PC_ERR_RCV_F},
    {"PortRcvRemotePhysicalErrors", IB_PC_ERR_PHYSRCV_F},
    {"PortRcvSwitchRelayErrors", IB_PC_ERR_SWITCH_REL_F},
    {"PortXmitDiscards", IB_PC_XMT_DISCARDS_F},
    {"PortXmitConstraintErrors", IB_PC_ERR_XMTCONSTR_F},
    {"PortRcvConstraintErrors", IB_PC_ERR_RCVCONSTR_F},
    {"LocalLinkIntegrityErrors", IB_PC_ERR_LOCALINTEG_F},
    {"ExcessiveBufferOverrunErrors", IB_PC_ERR_EXCESS_OVR_F},
    // IB_PC_QP1_DROP_F of libibmad 44 wrongly refers to VL15Dropped, so test_qp1_dropped.cpp
    // compares with OpenSM.
    {"QP1Dropped", IB_NO_FIELD},
    {"VL15Dropped", IB_PC_VL15_DROPPED_F},
    {"PortXmitData", IB_PC_XMT_BYTES_F},
    {"PortRcvData", IB_PC_RCV_BYTES_F},
    {"PortXmitPkts", IB_PC_XMT_PKTS_F},
    {"PortRcvPkts", IB_PC_RCV_PKTS_F},
    {"PortXmitWait", IB_PC_XMT_WAIT_F},
};

constexpr TheirField wide[] = {
    {"PortXmitData", IB_PC_EXT_XMT_BYTES_F},
    {"PortRcvData", IB_PC_EXT_RCV_BYTES_F},
    {"PortXmitPkts", IB_PC_EXT_XMT_PKTS_F},
    {"PortRcvPkts", IB_PC_EXT_RCV_PKTS_F},
    {"PortUnicastXmitPkts", IB_PC_EXT_XMT_UPKTS_F},
    {"PortUnicastRcvPkts", IB_PC_EXT_RCV_UPKTS_F},
    {"PortMulticastXmitPkts", IB_PC_EXT_XMT_MPKTS_F},
    {"PortMulticastRcvPkts", IB_PC_EXT_RCV_MPKTS_F},
};

constexpr TheirField additional[] = {
    {"SymbolErrorCounter", IB_PC_EXT_ERR_SYM_F},
    {"LinkErrorRecoveryCounter", IB_PC_EXT_LINK_RECOVERS_F},
    {"LinkDownedCounter", IB_PC_EXT_LINK_DOWNED_F},
    {"PortRcvErrors", IB_PC_EXT_ERR_RCV_F},
    {"PortRcvRemotePhysicalErrors", IB_PC_EXT_ERR_PHYSRCV_F},
    {"PortRcvSwitchRelayErrors", IB_PC_EXT_ERR_SWITCH_REL_F},
    {"PortXmitDiscards", IB_PC_EXT_XMT_DISCARDS_F},
    {"PortXmitConstraintErrors", IB_PC_EXT_ERR_XMTCONSTR_F},
    {"PortRcvConstraintErrors", IB_PC_EXT_ERR_RCVCONSTR_F},
    {"LocalLinkIntegrityErrors", IB_PC_EXT_ERR_LOCALINTEG_F},
    {"ExcessiveBufferOverrunErrors", IB_PC_EXT_ERR_EXCESS_OVR_F},
    {"VL15Dropped", IB_PC_EXT_VL15_DROPPED_F},
    {"PortXmitWait", IB_PC_EXT_XMT_WAIT_F},
    {"QP1Dropped", IB_PC_EXT_QP1_DROP_F},
};

/// The value that libibmad reads from a field of this project.
std::uint64_t their_value(MadData data, const CounterField& ours, MAD_FIELDS field) {
  return ours.width == 64 ? mad_get_field64(data.data(), 0, field)
                          : mad_get_field(data.data(), 0, field);
}

void compare(std::span<const CounterField> ours, std::span<const TheirField> theirs,
             const MadData& data, const PortCounters& counters) {
  REQUIRE(ours.size() == theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    INFO(ours[i].name);
    CHECK(ours[i].name == theirs[i].name);
    if (theirs[i].field == IB_NO_FIELD) continue;
    CHECK(counters.*ours[i].counter == their_value(data, ours[i], theirs[i].field));
  }
}

MadData any_bytes(std::mt19937& random) {
  MadData data;
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
  return data;
}

}  // namespace

TEST_CASE("libibmad reads the same counters from arbitrary bytes") {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const MadData data = any_bytes(random);
    compare(port_counters_fields(), narrow, data, decode_port_counters(data));
    const PortCounters extended = decode_port_counters_extended(data, true);
    compare(extended_fields(), wide, data, extended);
    compare(additional_extended_fields(), additional, data, extended);
    CHECK(decode_port_counters(data).port == data[1]);
  }
}

TEST_CASE("counters that a node does not support are 0, whatever the bytes") {
  std::mt19937 random(2);
  const PortCounters counters = decode_port_counters_extended(any_bytes(random), false);
  for (const CounterField& field : additional_extended_fields()) {
    CHECK(counters.*field.counter == 0);
  }
}

TEST_CASE(
    "encoded counters are decoded unchanged, and limited to the largest value of their field") {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const PortCounters narrow_ones = decode_port_counters(any_bytes(random));
    CHECK(decode_port_counters(encode_port_counters(narrow_ones)) == narrow_ones);
    const PortCounters wide_ones = decode_port_counters_extended(any_bytes(random), true);
    CHECK(decode_port_counters_extended(encode_port_counters_extended(wide_ones, true), true) ==
          wide_ones);
  }
  PortCounters full;
  for (const CounterField& field : port_counters_fields()) {
    full.*field.counter = std::numeric_limits<std::uint64_t>::max();
  }
  const PortCounters stopped = decode_port_counters(encode_port_counters(full));
  CHECK(stopped.local_link_integrity_errors == 15);
  CHECK(stopped.link_downed == 255);
  CHECK(stopped.symbol_errors == 65535);
  CHECK(stopped.transmit_wait == 0xffffffff);
}

TEST_CASE("capabilities are at the positions of libibmad") {
  std::mt19937 random(4);
  for (int i = 0; i < 20; ++i) {
    MadData data = any_bytes(random);
    const PerformanceInfo info = decode_performance_info(data);
    CHECK(info.capabilities == mad_get_field(data.data(), 0, IB_CPI_CAPMASK_F));
    CHECK(info.capabilities2 == mad_get_field(data.data(), 0, IB_CPI_CAPMASK2_F));
    CHECK(info.response_time == mad_get_field(data.data(), 0, IB_CPI_RESP_TIME_VALUE_F));
    CHECK(decode_performance_info(encode(info)) == info);
  }
}

TEST_CASE("requests for counters have the right class, attribute and port") {
  const MadBytes bytes = encode(port_counters_extended_request(7, 36), 1);
  const MadHeader header = header_of(bytes);
  CHECK(header.management_class == IB_PERFORMANCE_CLASS);
  CHECK(header.class_version == 1);
  CHECK(header.attribute == IB_GSI_PORT_COUNTERS_EXT);
  CHECK(bytes[64 + 1] == 36);
  CHECK(header_of(encode(port_counters_request(7, 1), 1)).attribute == IB_GSI_PORT_COUNTERS);
  CHECK(header_of(encode(performance_info_request(7), 1)).attribute == CLASS_PORT_INFO);
  CHECK(port_counters_request(7, 1).to == general_services_at(7));
}
