#pragma once

// Counts the differences between two versions of forwarding tables.

#include <cstdint>
#include <functional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Numbers of entries (switch, LID) in the previous and the new tables.
struct EntryChanges {
  std::uint64_t kept = 0;
  /// The old entry could not stay: dead port, dead end, forwarding loop or too long a path.
  std::uint64_t replaced = 0;
  std::uint64_t moved = 0;    ///< could have stayed; moved to balance the load
  std::uint64_t added = 0;    ///< had no entry before: new switches and LIDs, reconnected islands
  std::uint64_t removed = 0;  ///< no longer has a destination: islands, LIDs without an owner

  friend bool operator==(const EntryChanges&, const EntryChanges&) = default;
};

/// "90 entries kept, 3 replaced, 0 moved, 0 added, 2 removed".
std::string describe(const EntryChanges& changes);

/// Whether the entry of a switch for a LID could have stayed unchanged.
using CouldStay = std::function<bool(SwitchId, Lid)>;

/// Both tables must have the same number of switches. Calls CouldStay only for changed entries, LID
/// by LID. O(entries).
EntryChanges count_changes(const ForwardingTables& before, const ForwardingTables& now,
                           const CouldStay& could_stay);

}  // namespace pssp
