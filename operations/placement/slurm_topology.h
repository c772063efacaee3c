#pragma once

// The tree of a scheduler in Slurm's files: topology.conf (topology/tree and topology/block) and
// topology.yaml, which has several topologies side by side.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operations/placement/scheduler_tree.h"

namespace pssp {

/// What the switches of the file are called. Of characters that Slurm does not take runs become a
/// '-', and names that are equal then get a number.
enum class SwitchNames : std::uint8_t {
  full,     ///< the description of the unit's first leaf
  compact,  ///< the same; of a chip in a switch system its name, board and chip alone
  unit,     ///< unit1, unit2 ...
};

/// A tree with the names of what it consists of; both must outlive it.
struct NamedTree {
  const SchedulerTree& tree;
  std::span<const ScheduledNode> nodes;
  std::vector<std::string> vertex_names;
};
NamedTree name_vertices(const Fabric& fabric, const SchedulerTree& tree,
                        std::span<const ScheduledNode> nodes, SwitchNames names);

/// topology.conf of topology/tree: a line a vertex, children before parents.
std::string to_tree_conf(const NamedTree& named);
/// topology.conf of topology/block (23.11 and later): whole units next to each other in the tree,
/// at least `size` nodes a block. Throws Error(usage) where an island has fewer.
std::string to_block_conf(const NamedTree& named, std::uint32_t size);

/// One of a topology.yaml (25.05 and later); the first is the cluster's default.
struct NamedTopology {
  std::string name;
  std::optional<NamedTree> tree;  ///< nothing: flat
  std::uint32_t block_size = 0;   ///< 0: a tree; else blocks
};
/// Throws as to_block_conf() does.
std::string to_topology_yaml(std::span<const NamedTopology> topologies);

}  // namespace pssp
