#pragma once

// The tree of switches from which a batch scheduler places jobs: which nodes share a leaf, and
// which leaves are near each other.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// A node, and the switches of its counted rails.
struct ScheduledNode {
  std::string name;
  std::vector<SwitchId> leaves;  ///< at least one; may contain a switch twice
};

struct SchedulerTree {
  struct Vertex {
    std::uint32_t level = 0;              ///< 0: a unit; else higher than its children
    std::vector<std::uint32_t> children;  ///< vertices before this one; empty for a unit
    std::vector<std::uint32_t> nodes;     ///< of a unit, ascending
    std::vector<SwitchId> leaves;         ///< of a unit, ascending
  };
  std::vector<Vertex> vertices;     ///< units first, in the order of their first nodes
  std::vector<std::uint32_t> tops;  ///< one vertex per island
  std::uint32_t unit_count = 0;
  /// False if cables join switches with equal distances from the leaves, or leaves: then the units
  /// are directly below the top of their island.
  bool is_tree = true;
};

/// Leaves with rails of a common node form one unit, so that each node is in one unit. Level k:
/// connected by switches at most k hops from the leaves; a component equal to one vertex of the
/// previous level is represented by that vertex. O(nodes + channels * levels). Independent of the
/// order of GUIDs.
SchedulerTree scheduler_tree(const Fabric& fabric, std::span<const ScheduledNode> nodes);

}  // namespace pssp
