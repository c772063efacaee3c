#pragma once

// Which paths of a tree need one virtual lane, so that repaired tables need no more.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// If the fabric is a tree: its switches by the first preference of the engines (tree_order.h) by
/// whose usable_order() all paths of the tables are legal; else empty. Entries that lead nowhere do
/// not count. O(entries + leaves * channels), and the cost of number_by_structure().
std::vector<std::uint32_t> legal_preference(const Fabric& fabric, const ForwardingTables& tables);

/// The switches of the preference that `left` has, in its numbering. `whole` has all its switches.
/// O(switches log switches).
std::vector<std::uint32_t> restricted_preference(const Fabric& left,
                                                 std::span<const std::uint32_t> preference,
                                                 const Fabric& whole);

}  // namespace pssp
