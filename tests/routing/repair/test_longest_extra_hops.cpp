#include <catch2/catch.hpp>

#include "routing/engines/engine.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/repair/stable_rerouting.h"
#include "tests/routing/repair/repair_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// All packets travel around the ring in one direction.
ForwardingTables one_direction(const Fabric& ring, PortNumber port) {
  ForwardingTables tables(ring.switch_count(), ring.max_lid());
  for (std::uint32_t s = 0; s < ring.switch_count(); ++s) {
    for (const Lid lid : ring.lids()) {
      const Delivery delivery = ring.delivery(lid);
      tables.set(SwitchId(s), lid, delivery.at == SwitchId(s) ? delivery.port : port);
    }
  }
  return tables;
}

}  // namespace

TEST_CASE("minimal paths have no extra hops", "[stable]") {
  for (const char* const spec : {"torus 4x4", "k-ary-n-tree 2 3", "mesh 3x3"}) {
    const Fabric fabric = make_fabric(spec);
    CHECK(longest_extra_hops(fabric, make_engine("pssp", {})->route(fabric).tables) == 0);
  }
}

TEST_CASE("extra hops are the hops of a path beyond a minimal path", "[stable]") {
  const Fabric ring = make_fabric("torus 6");
  const PortNumber right = ring.channel_out_port()[ring.first_channel()[0]];
  // Five hops to the previous switch, instead of one.
  CHECK(longest_extra_hops(ring, one_direction(ring, right)) == 4);
}

TEST_CASE("longest_extra_hops has an upper limit if paths do not end", "[stable]") {
  const Fabric ring = make_fabric("torus 6");
  ForwardingTables tables = one_direction(ring, ring.channel_out_port()[ring.first_channel()[0]]);
  const Lid lost = ring.end_port(ring.endpoints()[0]).lid;
  const SwitchId at = ring.delivery(lost).at;
  tables.set(at, lost, tables.at(SwitchId(at.value() == 0 ? 1 : 0), lost));
  CHECK(longest_extra_hops(ring, tables) <= max_stable_extra_hops);
}
