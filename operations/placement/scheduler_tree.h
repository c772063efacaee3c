#pragma once

// The tree of switches that a batch scheduler places jobs by: which nodes share a leaf, and which
// leaves are near to each other.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// A node, and the switches that those of its rails are at which count.
struct ScheduledNode {
  std::string name;
  std::vector<SwitchId> leaves;  ///< at least one; may have a switch twice
};

struct SchedulerTree {
  struct Vertex {
    std::uint32_t level = 0;              ///< 0: a unit; else that of its children and more
    std::vector<std::uint32_t> children;  ///< vertices before this one; empty of a unit
    std::vector<std::uint32_t> nodes;     ///< of a unit, ascending
    std::vector<SwitchId> leaves;         ///< of a unit, ascending
  };
  std::vector<Vertex> vertices;     ///< units first, in the order of their first nodes
  std::vector<std::uint32_t> tops;  ///< a vertex an island
  std::uint32_t unit_count = 0;
  /// False where cables join switches that are equally far from the leaves, or leaves: then the
  /// units stand below the top of their island, with nothing between.
  bool is_tree = true;
};

/// Leaves that a node has rails at are one unit, so that each node is in one. Level k: what hangs
/// together by switches up to k hops from the leaves; where that is one vertex of the level before,
/// that stands for it. O(nodes + channels * levels). Nothing in it depends on the order of GUIDs.
SchedulerTree scheduler_tree(const Fabric& fabric, std::span<const ScheduledNode> nodes);

}  // namespace pssp
