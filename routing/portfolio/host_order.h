#pragma once

// The hosts that take part in structured traffic, and in which order they stand.

#include <cstddef>
#include <cstdint>
#include <string_view>
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

/// Which of two texts comes first when numbers in them count by value, however many digits they
/// have: below 0 when a does, 0 when they differ by leading zeros alone. O(size).
int compare_with_numbers(std::string_view a, std::string_view b) noexcept;

/// Whether a node description names the product instead of the node, as adapters do that nobody has
/// told their name; so does an empty one.
bool names_only_the_product(std::string_view description);

/// What a host is called: its description, or its name where that says nothing of it.
std::string_view telling_name(const EndPort& port);

/// Endpoints with a LID on the island that has most of them (of equals that of the lowest
/// SwitchId), in order; ties by port GUID. O(hosts log hosts + channels).
OrderedHosts order_hosts(const Fabric& fabric, HostOrderRule rule);

/// Likewise in the order of `chosen`, endpoints of the fabric, none twice.
OrderedHosts order_hosts(const Fabric& fabric, const std::vector<EndPortId>& chosen);

/// Positions of hosts by node, in the order of the nodes' first hosts. A node is what the first of
/// exactly two words in a host's name says ("node12 mlx5_0", "node12 HCA-2"); any other host is a
/// node by itself.
std::vector<std::vector<std::uint32_t>> group_by_node(const Fabric& fabric,
                                                      const std::vector<EndPortId>& hosts);

}  // namespace pssp
