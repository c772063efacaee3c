#pragma once

// Finds an order of the switches with which repaired tables of a tree need only one virtual lane.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// If the fabric is a tree: its switches in the first preference order of the engines
/// (tree_order.h) whose usable_order() makes all paths of the tables legal; otherwise empty.
/// Ignores entries that lead nowhere. O(entries + leaves * channels), plus number_by_structure().
std::vector<std::uint32_t> legal_preference(const Fabric& fabric, const ForwardingTables& tables);

/// The switches of the preference order that exist in `left`, in its numbering. `whole` must
/// contain all switches of `left`. O(switches log switches).
std::vector<std::uint32_t> restricted_preference(const Fabric& left,
                                                 std::span<const std::uint32_t> preference,
                                                 const Fabric& whole);

}  // namespace pssp
