#pragma once

// How tables differ from those before.

#include <cstdint>
#include <functional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Entries (switch, LID) of the previous tables and of the new ones, counted.
struct EntryChanges {
  std::uint64_t kept = 0;
  /// Could not stay: the port is dead, or leads nowhere, in a cycle, or by a way that is too long.
  std::uint64_t replaced = 0;
  std::uint64_t moved = 0;    ///< could have stayed; moved for balance
  std::uint64_t added = 0;    ///< there was none: new switches and LIDs, islands that were joined
  std::uint64_t removed = 0;  ///< leads to nothing any more: islands, LIDs that no one owns

  friend bool operator==(const EntryChanges&, const EntryChanges&) = default;
};

/// "90 entries kept, 3 replaced, 0 moved, 0 added, 2 removed".
std::string describe(const EntryChanges& changes);

/// Whether the entry of a switch for a LID could have stayed as it was.
using CouldStay = std::function<bool(SwitchId, Lid)>;

/// Both tables have a row for each switch. Asks of entries that have changed alone, LID by LID.
/// O(entries).
EntryChanges count_changes(const ForwardingTables& before, const ForwardingTables& now,
                           const CouldStay& could_stay);

}  // namespace pssp
