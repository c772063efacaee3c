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

}  // namespace pssp
