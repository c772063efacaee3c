#pragma once

// The up*/down* order of a tree: which all tables of a tree follow, so that they and every repair
// of them need one virtual lane.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The switches of a tree that an order prefers; if several are equal, the lower SwitchId.
enum class TreePreference : std::uint8_t {
  highest_rank,      ///< tree_levels.h; O(channels)
  nearest_to_leaves  ///< fewest hops to all leaves together; O(leaves * channels)
};
inline constexpr std::array tree_preferences{TreePreference::highest_rank,
                                             TreePreference::nearest_to_leaves};

/// All switches of a tree by this preference, for usable_order(). On a complete fat tree all
/// minimal paths between hosts are legal by either order. So are minimal paths between hosts and
/// switches: one leaf is above the rest of the upper levels, and paths between switches of a level
/// turn at this leaf. On rows of directors the second order is better. Neither depends on hosts.
std::vector<std::uint32_t> preferred_switches(const Fabric& tree, TreePreference preference);

/// The same by the first preference with which hardly more routes of the complete tree share a
/// channel than by all minimal paths (up_down_search.h: sharing_factor()). Empty if no preference
/// is good enough, as on some rows of directors. O(leaves * channels).
std::vector<std::uint32_t> preferred_switches(const Fabric& complete);

/// The usable order of these switches; none if they are empty. They may be those of the tree with
/// its missing links and switches (numbered_tree.h: with_links()), so the order hardly depends on
/// what is missing.
std::optional<UpDownOrder> order_of(const Fabric& fabric, std::span<const std::uint32_t> preferred);
/// The same of the preferred switches of complete_tree(); none where the fabric is no tree.
std::optional<UpDownOrder> tree_order(const Fabric& fabric);

/// Whether all paths of the tables go up in the order and then down. Entries that lead nowhere do
/// not count. O(entries).
bool follow_order(const Fabric& fabric, const ForwardingTables& tables, const UpDownOrder& order);

/// If the fabric is a tree and no link is missing: the usable order by the second preference, by
/// which minimal paths from all switches to hosts are legal. O(leaves * channels).
std::optional<UpDownOrder> order_of_complete_tree(const Fabric& fabric);

/// The tree with its inferred links; the fabric itself where none are missing. Throws
/// Error(unsuitable_topology) where the fabric is no tree.
Fabric complete_tree(const Fabric& fabric);

}  // namespace pssp
