#pragma once

// Tables in which every switch uses its next hops round-robin, as in OpenSM's minhop: good for
// hosts near each other, and a start for searches that lower contention.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Visits leaves in descending order of their hosts; at each switch, each destination uses the
/// minimal path with the fewest earlier destinations. With `order`, paths are the shortest that are
/// legal by this usable order. The tables are complete and without loops, and the same input gives
/// the same bytes. O(switches with destinations * channels + LIDs * channels). Throws Stopped.
ForwardingTables route_round_robin(const Fabric& fabric, const UpDownOrder* order = nullptr,
                                   const StopSignal& stop = {});

}  // namespace pssp
