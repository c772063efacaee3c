#pragma once

// How far above the hosts each switch of a tree stands, and whether a fabric is one.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Hops from each switch to the nearest leaf, by SwitchId; no_rank where there is none to reach. On
/// a tree, the level. Leaves are the switches with endpoints, but for those with fewer than most
/// whose neighbours are those of spines: a management node plugged into a spine, or into a line of
/// a director, makes no leaf of it. O(channels, and for each switch with few endpoints the channels
/// of its neighbours).
constexpr std::uint32_t no_rank = 0xFFFFFFFF;
std::vector<std::uint32_t> switch_ranks(const Fabric& fabric);

/// Whether the fabric is a tree, maybe with some links missing or too many: at most a quarter of
/// its links join switches of one rank, as those between directors in a row do. `ranks`: of its
/// switches.
bool is_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks);

/// Throws Error(unsuitable_topology) where it is none, naming a link that joins switches of one
/// rank.
void require_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks);

}  // namespace pssp
