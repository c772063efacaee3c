#pragma once

// Brings tables of a complete fabric to the same fabric with links missing.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// `complete` is `fabric` with more links (with_links()), `tables` are complete tables of it. Keeps
/// every entry whose link is there and leads on by a shortest legal way; of LIDs that lost any,
/// only those that carry routes between endpoints. Chooses the others where the busiest channel of
/// the way is least busy. Legal: up by rank and then down (rank_distances.h); with `order`, up and
/// down by this usable order of the fabric. The result is complete and without loops. O(LIDs *
/// switches + switches * channels), and O(switches + channels) for each LID with entries to choose.
ForwardingTables heal_tables(const Fabric& fabric, const Fabric& complete, ForwardingTables tables,
                             const UpDownOrder* order = nullptr, const StopSignal& stop = {});

}  // namespace pssp
