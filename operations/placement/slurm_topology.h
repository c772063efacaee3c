#pragma once

// Writes the tree of a scheduler in Slurm's formats: topology.conf (topology/tree and
// topology/block) and topology.yaml, which can contain several topologies.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operations/placement/scheduler_tree.h"

namespace pssp {

/// The names of switches in the file. Runs of characters that Slurm does not accept become '-', and
/// equal names get a number.
enum class SwitchNames : std::uint8_t {
  full,     ///< the description of the unit's first leaf
  compact,  ///< the same; for a chip of a switch system its name, board and chip
  unit,     ///< unit1, unit2 ...
};

/// A tree with the names of its parts; both must outlive it.
struct NamedTree {
  const SchedulerTree& tree;
  std::span<const ScheduledNode> nodes;
  std::vector<std::string> vertex_names;
};
NamedTree name_vertices(const Fabric& fabric, const SchedulerTree& tree,
                        std::span<const ScheduledNode> nodes, SwitchNames names);

/// topology.conf of topology/tree: one line per vertex, children before parents.
std::string to_tree_conf(const NamedTree& named);
/// topology.conf of topology/block (23.11 and later): neighboring units of the tree, at least
/// `size` nodes per block. Throws Error(usage) if an island has fewer.
std::string to_block_conf(const NamedTree& named, std::uint32_t size);

/// A topology of topology.yaml (25.05 and later); the first is the cluster's default.
struct NamedTopology {
  std::string name;
  std::optional<NamedTree> tree;  ///< none: flat
  std::uint32_t block_size = 0;   ///< 0: a tree; else blocks
};
/// Throws the errors of to_block_conf().
std::string to_topology_yaml(std::span<const NamedTopology> topologies);

}  // namespace pssp
