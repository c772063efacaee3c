#pragma once

// Types of hosts: compute nodes, servers, login nodes and others.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// The source of node types.
enum class NodeTypeSource : std::uint8_t {
  /// A file (fabric/formats/node_types_file.h); for other hosts, the name up to the first number,
  /// if hosts with different names share leaves.
  by_name,
  one,  ///< all hosts have one node type
};

struct NodeTypesOfHosts {
  /// By EndPortId, values below `count`. End ports that are not endpoints (Fabric::is_endpoint)
  /// have a separate node type. All node types from names that share no switch with another node
  /// type count as one.
  std::vector<std::uint32_t> of;
  std::size_t count = 0;
  std::vector<std::uint8_t> is_configured;  ///< for each node type, whether a file lists it
};

/// O(end ports log node types).
NodeTypesOfHosts find_node_types(const Fabric& fabric, NodeTypeSource by);

}  // namespace pssp
