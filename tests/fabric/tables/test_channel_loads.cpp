#include <catch2/catch.hpp>
#include <vector>

#include "fabric/tables/channel_loads.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Counts one route at a time.
std::vector<std::uint64_t> loads_by_walking(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<std::uint64_t> loads(fabric.channel_count(), 0);
  for (const EndPortId from : fabric.endpoints()) {
    for (const EndPortId to : fabric.endpoints()) {
      if (from == to) continue;
      const EndPort& target = fabric.end_port(to);
      for (unsigned offset = 0; offset < 1U << target.lmc; ++offset) {
        const auto route = test::walk(fabric, tables, fabric.end_port(from).attached,
                                      static_cast<Lid>(target.lid + offset));
        if (!route) continue;
        for (const std::uint32_t c : *route) ++loads[c];
      }
    }
  }
  return loads;
}

}  // namespace

TEST_CASE("channel loads counted by trees equal those counted route by route", "[tables]") {
  for (const char* spec :
       {"k-ary-n-tree 2 3", "mesh 3x3 --hosts 2", "torus 4x4 --lmc 1",
        "random-regular 12 --degree 3 --hosts 2", "torus 3x3 --parallel 2 --hosts 2 --kill-links 3",
        "mesh 4 --hosts 3 --kill-links 1 --allow-islands"}) {
    const Fabric fabric = make_fabric(spec);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      INFO(spec << ", seed " << seed);
      const ForwardingTables trees = test::random_tree_tables(fabric, seed);
      CHECK(channel_loads(fabric, trees) == loads_by_walking(fabric, trees));
      const ForwardingTables noise = test::noise_tables(fabric, seed);
      CHECK(channel_loads(fabric, noise) == loads_by_walking(fabric, noise));
    }
  }
}

TEST_CASE("LIDs beyond the end of the tables add no channel load", "[tables]") {
  const Fabric fabric = make_fabric("mesh 3 --hosts 1");
  const ForwardingTables tables = test::random_tree_tables(fabric, 1);
  ForwardingTables shorter(fabric.switch_count(), 2);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (Lid lid = 1; lid <= 2; ++lid) shorter.set(SwitchId(s), lid, tables.at(SwitchId(s), lid));
  }
  CHECK(channel_loads(fabric, shorter) == loads_by_walking(fabric, shorter));
}

TEST_CASE("the edge forwarding index is relative to the capacity of the channel", "[tables]") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 4, "a", "");
  const NodeId b = builder.add_switch(2, 4, "b", "");
  const NodeId host_a = builder.add_adapter(0x100, 1, EndPortKind::channel_adapter, "", "");
  const NodeId host_b = builder.add_adapter(0x200, 1, EndPortKind::channel_adapter, "", "");
  builder.connect(a, 1, b, 1, {4, 4000});
  builder.connect(a, 2, host_a, 1, {4, 8000});
  builder.connect(b, 2, host_b, 1, {4, 8000});
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  const std::vector<std::uint64_t> loads =
      channel_loads(fabric, test::random_tree_tables(fabric, 1));
  CHECK(loads == std::vector<std::uint64_t>{1, 1});
  CHECK(edge_forwarding_index(fabric, loads) == 2.0);
  CHECK(edge_forwarding_index(FabricBuilder().build(), {}) == 0.0);
}
