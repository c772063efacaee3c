#include <catch2/catch.hpp>

#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

TEST_CASE("a synthetic map has the cables of its topology at both ends") {
  const FabricMap map = synthetic_map("k-ary-n-tree 4 2");
  CHECK(map.nodes.size() == 24);
  std::size_t cabled = 0;
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    CHECK(map.find_port(map.node_of(map.ports[p]).guid, map.ports[p].number) == p);
    if (map.ports[p].peer == MapPort::no_peer) continue;
    ++cabled;
    CHECK(map.ports[map.ports[p].peer].peer == p);
  }
  CHECK(cabled == 2 * (16 + 16));
}

TEST_CASE("synthetic counters agree at both ends of a cable and never decrease") {
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  const SnapshotPointer first = fabric.sweep(), second = fabric.sweep();
  std::uint64_t sent = 0;
  for (std::uint32_t p = 0; p < second->map->ports.size(); ++p) {
    const std::uint32_t peer = second->map->ports[p].peer;
    if (peer == MapPort::no_peer) continue;
    CHECK(second->counters(p)[0] == second->counters(peer)[1]);
    CHECK(second->counters(p)[0] >= first->counters(p)[0]);
    sent += second->counters(p)[0];
  }
  CHECK(sent > 0);
  CHECK(SyntheticFabric("k-ary-n-tree 4 2").sweep()->values == first->values);
}
