#pragma once

// The up*/down* order of a tree: what all tables of a tree keep to, so that they and every repair
// of them need one virtual lane.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"

namespace pssp {

/// For usable_order(): all switches of a tree in two orders of preference, by rank (tree_levels.h),
/// highest first, and by hops to all leaves, fewest first; of equals the lower SwitchId. On a
/// complete fat tree all minimal paths between hosts are legal by either order, and those to and
/// from switches, too: one leaf is above the rest of the upper levels, so paths between switches of
/// a level turn at this leaf. On rows of directors the second order is better. Neither depends on
/// hosts. O(leaves * channels).
std::vector<std::vector<std::uint32_t>> tree_preferences(const Fabric& tree);

/// The usable order on the fabric by the first preference by which hardly more routes of `complete`
/// share a channel than by all minimal paths (up_down_search.h: sharing_factor()); none where there
/// is none, as on some rows of directors. `complete`: the same tree with its missing links and
/// switches (numbered_tree.h: with_links()), whose numbers follow those of the fabric, so that the
/// order hardly depends on what is missing. O(leaves * channels).
std::optional<UpDownOrder> tree_order(const Fabric& fabric, const Fabric& complete);
/// The same, with the missing links inferred (inferred_links.h); none where the fabric is no tree.
std::optional<UpDownOrder> tree_order(const Fabric& fabric);

/// Where the fabric is a tree and no link is missing: the usable order by the second preference, by
/// which minimal paths from all switches to hosts are legal. O(leaves * channels).
std::optional<UpDownOrder> order_of_complete_tree(const Fabric& fabric);

/// The tree with its inferred links; the fabric itself where none are missing. Throws
/// Error(unsuitable_topology) where the fabric is no tree.
Fabric complete_tree(const Fabric& fabric);

}  // namespace pssp
