#pragma once

// Repairs tables of a complete fabric for the same fabric with missing links.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct HealSettings {
  /// The order by which paths are legal; null: all minimal paths are legal.
  const UpDownOrder* order = nullptr;
  /// The complete tables distribute the flows of every shift evenly. Then all entries of switches
  /// that lost a link may change, so that no channel becomes a hot spot in a shift.
  bool spreads_shifts_evenly = false;
};

/// `complete` is `fabric` with more links (with_links()), and `tables` are its complete tables; or
/// `complete` is `fabric`, and the tables have gaps. Keeps every entry whose link exists and is on
/// a shortest legal path; for LIDs that lost entries, only those that carry routes between
/// endpoints. Chooses the other entries with the least busy channels on the path, and then again by
/// contention in random traffic and in shifts. The result is complete and without loops. O(LIDs *
/// switches + switches * channels), and O(switches + channels) for each LID with entries to choose.
/// Throws Stopped.
ForwardingTables heal_tables(const Fabric& fabric, const Fabric& complete, ForwardingTables tables,
                             const HealSettings& how = {}, const StopSignal& stop = {});

}  // namespace pssp
