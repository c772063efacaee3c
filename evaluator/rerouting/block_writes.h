#pragma once

// The blocks of 64 entries that a subnet manager writes to bring new tables into force.

#include <cstdint>
#include <vector>

#include "evaluator/rerouting/fabric_change.h"

namespace pssp {

/// Entries per attribute LinearForwardingTable (InfiniBand architecture 1.3, section 14.2.5.10).
constexpr std::uint32_t lids_per_block = 64;

struct BlockWrite {
  std::uint32_t at_switch = 0;  ///< SwitchId of the fabric afterwards
  std::uint32_t block = 0;      ///< contains the LIDs 64 * block to 64 * block + 63
  friend bool operator==(const BlockWrite&, const BlockWrite&) = default;
};

struct TableChanges {
  std::uint64_t entries = 0;   ///< (switch, LID) pairs with another port
  std::uint64_t switches = 0;  ///< with such an entry
  /// All blocks with such an entry, by block, then by switch in opensm's order of GUIDs: the order
  /// in which opensm 3.3.23 sends them.
  std::vector<BlockWrite> writes;
};

/// The old tables, by the switches of the new fabric; a new switch has no entries. O(LIDs *
/// switches).
ForwardingTables tables_before_writing(const FabricChange& change, const RoutedState& before,
                                       const RoutedState& after);

/// The levels that existing connections keep, by the switches of the new fabric; new levels where
/// there were none before. Both states must have levels. O(LIDs * switches).
ServiceLevels levels_before_writing(const FabricChange& change, const RoutedState& before,
                                    const RoutedState& after);

/// `old_tables` must be those of tables_before_writing(). O(LIDs * switches).
TableChanges table_changes(const ForwardingTables& old_tables, const RoutedState& after);

}  // namespace pssp
