#include "monitor/counters/fabric_map.h"

#include <algorithm>

namespace pssp {

std::optional<std::uint32_t> FabricMap::find_node(Guid guid) const {
  const auto found =
      std::lower_bound(nodes.begin(), nodes.end(), guid,
                       [](const MapNode& n, Guid wanted) { return n.guid < wanted; });
  if (found == nodes.end() || found->guid != guid) return std::nullopt;
  return static_cast<std::uint32_t>(found - nodes.begin());
}

std::optional<std::uint32_t> FabricMap::find_port(Guid node_guid, PortNumber number) const {
  const auto node = find_node(node_guid);
  if (!node || number == 0 || number > nodes[*node].ports) return std::nullopt;
  return nodes[*node].first_port + number - 1U;
}

std::vector<std::uint32_t> FabricMap::ports_of(Guid node_guid, PortNumber number) const {
  std::vector<std::uint32_t> found;
  if (number != 0) {
    if (const auto port = find_port(node_guid, number)) found.push_back(*port);
  } else if (const auto node = find_node(node_guid)) {
    for (std::uint32_t i = 0; i < nodes[*node].ports; ++i) {
      found.push_back(nodes[*node].first_port + i);
    }
  }
  return found;
}

}  // namespace pssp
