#pragma once

// The level of each switch of a tree, and whether a fabric is a tree.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Hops from each switch to the nearest leaf, by SwitchId; no_rank if none is reachable. On a tree,
/// the level. Leaves are the switches with endpoints, except switches with fewer endpoints than
/// most whose neighbors resemble those of spines: a management node at a spine or at a leaf module
/// of a director does not make it a leaf. O(channels, and for each switch with few endpoints the
/// channels of its neighbors).
constexpr std::uint32_t no_rank = 0xFFFFFFFF;
std::vector<std::uint32_t> switch_ranks(const Fabric& fabric);

/// Whether the fabric is a tree, possibly with missing or additional links: at most a quarter of
/// its links join switches of equal rank, such as links between directors in a row. `ranks`: the
/// ranks of its switches.
bool is_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks);

/// Throws Error(unsuitable_topology) if the fabric is not a tree, and names a link between switches
/// of equal rank.
void require_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks);

}  // namespace pssp
