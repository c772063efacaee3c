#pragma once

// Determines the level, column and order of the switches of a tree from the cabling and the host
// names; ties are broken by switch names (numbers by value), then by GUIDs and port numbers.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

struct TreeCoordinates {
  /// Hops to the nearest switch with endpoints (tree_levels.h), by SwitchId.
  std::vector<std::uint32_t> level;
  /// By SwitchId. Switches of a level share a column if at least half of their parents are common.
  /// Each top switch is a column of its own; tops that share at least half of their children are
  /// consecutive. Columns of a level are counted from 0 in the order of their parents' columns, so
  /// the i-th parent of a switch, counted by columns, leads to the same tops in every pod.
  std::vector<std::uint32_t> column;
  /// All switches by level; within a level by the first host below, then by column; tops by column
  /// only.
  std::vector<SwitchId> switches;
  /// All end ports, leaf by leaf in the order of `switches`, then by name (host_order.h: numbers by
  /// value), then by port GUID; end ports without a cable come last.
  std::vector<EndPortId> end_ports;
};

/// Accepts any fabric, but the coordinates are meaningful only for trees (is_tree()). Independent
/// of port numbers. O(channels * children of a switch + hosts log hosts).
TreeCoordinates tree_coordinates(const Fabric& fabric);

/// Distinct neighbors one level up or down, ascending. `levels`: switch_ranks().
std::vector<std::uint32_t> tree_parents(const Fabric& fabric, std::span<const std::uint32_t> levels,
                                        std::uint32_t s);
std::vector<std::uint32_t> tree_children(const Fabric& fabric,
                                         std::span<const std::uint32_t> levels, std::uint32_t s);

}  // namespace pssp
