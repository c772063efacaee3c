#pragma once

// The hosts that take part in structured traffic, and their order.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

enum class HostOrderRule : std::uint8_t {
  name,  ///< by node description, numbers by value, as batch systems number nodes
  guid,  ///< ascending port GUID
  leaf,  ///< switches breadth-first from the switch of the lowest GUID, then by port
};

/// Hosts of one island, and the numbers of other hosts.
struct OrderedHosts {
  /// Each host once. Patterns identify a host by its position in this list.
  std::vector<EndPortId> hosts;
  std::size_t without_lid = 0;       ///< endpoints to which no tables can lead
  std::size_t on_other_islands = 0;  ///< endpoints with a LID
};

/// Endpoints with a LID on the island that has most of them (if several do, the island with the
/// lowest SwitchId), in the given order; equal ones by port GUID. O(hosts log hosts + channels).
OrderedHosts order_hosts(const Fabric& fabric, HostOrderRule rule);

/// The same in the order of `chosen`, which contains endpoints of the fabric, each at most once.
OrderedHosts order_hosts(const Fabric& fabric, const std::vector<EndPortId>& chosen);

/// Positions of hosts by node, in the order of the first host of each node. node_and_adapter()
/// derives the node from the name of a host; a host without such a name is a separate node.
std::vector<std::vector<std::uint32_t>> group_by_node(const Fabric& fabric,
                                                      const std::vector<EndPortId>& hosts);

}  // namespace pssp
