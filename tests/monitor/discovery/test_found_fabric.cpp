// Conversion of the result of a walk to a map and a Fabric.

#include <catch2/catch.hpp>

#include "monitor/discovery/found_fabric.h"

using namespace pssp;

namespace {

FoundNode found_node(Guid guid, NodeKind kind, unsigned ports, Lid lid) {
  FoundNode node;
  node.guid = guid;
  node.kind = kind;
  node.ports = ports;
  node.lid = lid;
  return node;
}

FoundPort found_port(PortNumber number, Lid lid, Guid far_node, PortNumber far_port) {
  FoundPort port;
  port.number = number;
  port.guid = 1000U + lid;
  port.info.lid = lid;
  port.info.state = 4;
  port.info.physical_state = 5;
  port.info.width_active = 2;
  port.info.extended_speed_active = 4;
  port.far_node = far_node;
  port.far_port = far_port;
  return port;
}

/// A switch with four ports and a host at port 3. Only the switch reports the cable.
std::vector<FoundNode> one_host() {
  std::vector<FoundNode> nodes{found_node(20, NodeKind::switch_node, 4, 7),
                               found_node(10, NodeKind::channel_adapter, 1, no_lid)};
  nodes[0].found_ports.push_back(found_port(3, 0, 10, 1));
  nodes[1].found_ports.push_back(found_port(1, 9, 0, 0));
  return nodes;
}

}  // namespace

TEST_CASE("a map has all ports by GUID, and cables that only one end reported", "[monitor]") {
  const DiscoveredFabric found = to_fabric_map(one_host());
  const FabricMap& map = *found.map;
  REQUIRE(map.nodes.size() == 2);
  CHECK(map.nodes[0].guid == 10);
  REQUIRE(map.ports.size() == 5);
  const std::uint32_t host = *map.find_port(10, 1);
  const std::uint32_t at_switch = *map.find_port(20, 3);
  CHECK(map.ports[host].peer == at_switch);
  CHECK(map.ports[at_switch].peer == host);
  CHECK(map.ports[at_switch].lid == 7);
  CHECK(map.ports[at_switch].rate == LinkRate{4, 50'000});
  CHECK(map.ports[*map.find_port(20, 1)].state == LinkState::unknown);
  REQUIRE(map.fabric);
  CHECK(map.fabric->switch_count() == 1);
  CHECK(map.fabric->end_port_count() == 1);
  CHECK(found.problem.empty());
}

TEST_CASE("an invalid fabric gives a map without a Fabric, and the reason", "[monitor]") {
  std::vector<FoundNode> nodes = one_host();
  nodes[1].found_ports[0].info.lid = 7;
  const DiscoveredFabric found = to_fabric_map(nodes);
  CHECK(found.map->nodes.size() == 2);
  CHECK_FALSE(found.map->fabric);
  CHECK_FALSE(found.problem.empty());
}

TEST_CASE("the hash of a map depends on its cables, but not on LIDs", "[monitor]") {
  std::vector<FoundNode> nodes = one_host();
  const FabricMap before = *to_fabric_map(nodes).map;
  nodes[1].found_ports[0].info.lid = 11;
  const FabricMap moved = *to_fabric_map(nodes).map;
  CHECK(moved.hash == before.hash);
  CHECK(hash_of_all(moved) != hash_of_all(before));
  nodes[0].found_ports[0].far_node = 0;
  CHECK(to_fabric_map(nodes).map->hash != before.hash);
}

TEST_CASE("link rates follow from the codes in PortInfo", "[monitor]") {
  PortInfo info;
  info.width_active = 8;
  info.speed_active = 4;
  CHECK(link_rate_of(info, false) == LinkRate{12, 8'000});
  CHECK(link_rate_of(info, true) == LinkRate{12, 10'000});
  info.extended_speed_active = 8;
  CHECK(link_rate_of(info, true) == LinkRate{12, 100'000});
  info.width_active = 0;
  CHECK_FALSE(link_rate_of(info, false).stated());
}
