#pragma once

// A generated fabric map for benchmarks of the monitor, with any number of ports.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "monitor/counters/fabric_map.h"

namespace pssp {

inline constexpr std::uint32_t ports_of_switch = 36;

/// GUID of the switch with this index in the map.
inline Guid guid_of_switch(std::uint32_t place) { return 0x2c90200400000 + place; }

/// At least `ports` active ports with EDR links, on switches with 36 ports. The switch with index n
/// has LID n + 1. Port 2k of the map is cabled to port 2k + 1. O(ports).
inline std::shared_ptr<const FabricMap> map_of_switches(std::uint32_t ports) {
  auto map = std::make_shared<FabricMap>();
  for (std::uint32_t n = 0; n * ports_of_switch < ports; ++n) {
    MapNode node;
    node.guid = guid_of_switch(n);
    node.kind = NodeKind::switch_node;
    node.ports = ports_of_switch;
    node.lid = static_cast<Lid>(n + 1);
    node.description = fmt::format("switch {}", n);
    node.first_port = n * ports_of_switch;
    for (std::uint32_t p = 0; p < ports_of_switch; ++p) {
      MapPort port;
      port.node = n;
      port.number = static_cast<PortNumber>(p + 1);
      port.state = LinkState::active;
      port.guid = node.guid;
      port.lid = node.lid;
      port.rate = {4, 25'000};
      port.peer = (node.first_port + p) ^ 1U;
      map->ports.push_back(port);
    }
    map->nodes.push_back(std::move(node));
  }
  return map;
}

}  // namespace pssp
