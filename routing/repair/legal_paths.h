#pragma once

// Which ways of a tree keep tables on one virtual lane, so that those of what is repaired keep
// there.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// At most one of the two says which paths are legal.
struct LegalPaths {
  /// By SwitchId: up by rank, and then down (rank_distances.h).
  std::vector<std::uint32_t> ranks;
  /// Up by it, and then down. Usable on the fabric.
  std::optional<UpDownOrder> order;

  /// Whether all minimal paths are legal.
  bool are_all() const noexcept { return ranks.empty() && !order; }
};

/// By what all ways of the tables to endpoints are legal, if the fabric is a tree: where hosts hang
/// off switches above the leaves, to which some paths must turn up again, the order that engines
/// keep to, if these tables do (heal.md); else ranks, if all these ways lead up by them and then
/// down. Neither: paths that are merely short may need more than one virtual lane. Entries that
/// lead nowhere do not count. O(entries), and what number_by_structure() takes where an order is
/// looked for.
LegalPaths legal_paths(const Fabric& fabric, const ForwardingTables& tables);

/// The same on what is left of the fabric, all switches of which are in the other: of an order the
/// usable one that is nearest. O(switches), and usable_order().
LegalPaths legal_paths_on(const Fabric& left, const LegalPaths& whole, const Fabric& of_whole);

}  // namespace pssp
