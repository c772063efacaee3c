#pragma once

// What a switch is in a tree: its level, its column, and its place among all switches, from the
// cabling and the names of hosts; where these do not say it, from the names of switches, numbers by
// value. GUIDs and port numbers decide only between what nothing else tells apart.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

struct TreeCoordinates {
  /// Hops to the nearest switch with endpoints (tree_levels.h), by SwitchId.
  std::vector<std::uint32_t> level;
  /// By SwitchId. Switches of a level have one column when their parents are the same but for at
  /// most half of them. At a top each switch is a column of its own; those with the same children,
  /// but for at most half, follow each other. Columns of a level are counted from 0 in the order of
  /// their parents' columns: so the i-th parent of a switch, counted by columns, is in every pod
  /// the one that leads to the same tops.
  std::vector<std::uint32_t> column;
  /// All switches, level by level, each level in the order of the first hosts below, then of
  /// columns; tops by columns alone.
  std::vector<SwitchId> switches;
  /// All end ports, leaf by leaf in the order of `switches`, on each by name (host_order.h: numbers
  /// by value), then by port GUID; those without a cable last.
  std::vector<EndPortId> end_ports;
};

/// `fabric`: any; the coordinates mean something where it is a tree (is_tree()). The same for any
/// numbering of ports. O(channels * children of a switch + hosts log hosts).
TreeCoordinates tree_coordinates(const Fabric& fabric);

/// Neighbours one level up or down, each once however many cables lead there, ascending. `levels`:
/// switch_ranks().
std::vector<std::uint32_t> tree_parents(const Fabric& fabric, std::span<const std::uint32_t> levels,
                                        std::uint32_t s);
std::vector<std::uint32_t> tree_children(const Fabric& fabric,
                                         std::span<const std::uint32_t> levels, std::uint32_t s);

}  // namespace pssp
