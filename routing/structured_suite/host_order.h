#pragma once

// The hosts that take part in structured traffic, and in which order they stand.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

enum class HostOrderRule : std::uint8_t {
  name,  ///< by node description, numbers in it by value: as batch systems number nodes
  guid,  ///< ascending port GUID
  leaf,  ///< switches breadth first from that of the lowest GUID, then their ports
};

/// Hosts of one island, and how many others there are.
struct OrderedHosts {
  /// Each once. A position in this list is what patterns call a host.
  std::vector<EndPortId> hosts;
  std::size_t without_lid = 0;       ///< endpoints that no table can lead to
  std::size_t on_other_islands = 0;  ///< endpoints with a LID
};

/// Endpoints with a LID on the island that has most of them (of equals that of the lowest
/// SwitchId), in order; ties by port GUID. O(hosts log hosts + channels).
OrderedHosts order_hosts(const Fabric& fabric, HostOrderRule rule);

/// Likewise in the order of `chosen`, endpoints of the fabric, none twice.
OrderedHosts order_hosts(const Fabric& fabric, const std::vector<EndPortId>& chosen);

/// Positions of hosts by node, in the order of the nodes' first hosts. A node is what
/// node_and_adapter() says of a host's name; any other host is a node by itself.
std::vector<std::vector<std::uint32_t>> group_by_node(const Fabric& fabric,
                                                      const std::vector<EndPortId>& hosts);

}  // namespace pssp
