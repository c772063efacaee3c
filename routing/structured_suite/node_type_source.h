#pragma once

// Types of hosts: compute nodes, and the servers, login nodes and others that stand among them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// How hosts get their node types.
enum class NodeTypeSource : std::uint8_t {
  /// From a file (fabric/formats/node_types_file.h); other hosts by the name up to its first
  /// number, if hosts with different names share leaves.
  by_name,
  one,  ///< all hosts have one node type
};

struct NodeTypesOfHosts {
  /// By EndPortId, below `count`. End ports that are no endpoints (Fabric::is_endpoint) have a node
  /// type of their own. Node types from names that share no switch with another one are one.
  std::vector<std::uint32_t> of;
  std::size_t count = 0;
  std::vector<std::uint8_t> is_configured;  ///< by a file, of each node type
};

/// O(end ports log node types).
NodeTypesOfHosts find_node_types(const Fabric& fabric, NodeTypeSource by);

}  // namespace pssp
