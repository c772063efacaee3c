#pragma once

// Brings tables of a complete fabric to the same fabric with links missing.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// How tables are repaired.
struct HealSettings {
  /// Order by which paths are legal; none: all minimal paths are.
  const UpDownOrder* order = nullptr;
  /// The routes of the complete tables are in step with each other: then all entries of switches
  /// that lost a link may move once more, to where no channel is congested in a shift.
  bool spreads_shifts_evenly = false;
};

/// `complete` is `fabric` with more links (with_links()), `tables` are complete tables of it; or it
/// is the fabric itself, and tables have gaps. Keeps every entry whose link is there and leads on
/// by a shortest legal path; of LIDs that lost any, only those that carry routes between endpoints.
/// Chooses the others where the busiest channel of the way is least busy, and then again by merging
/// pairs and shifts. The result is complete and without loops. O(LIDs * switches + switches *
/// channels), and O(switches + channels) for each LID with entries to choose. Throws Stopped.
ForwardingTables heal_tables(const Fabric& fabric, const Fabric& complete, ForwardingTables tables,
                             const HealSettings& how = {}, const StopSignal& stop = {});

}  // namespace pssp
