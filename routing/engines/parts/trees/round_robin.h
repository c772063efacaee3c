#pragma once

// Tables in which every switch takes its next hops round-robin: what is good about OpenSM's minhop
// for hosts that sit together, and a start for what lowers the number of merging routes.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Leaf by leaf, those with most hosts first; each destination leaves a switch by the minimal path
/// that fewest destinations before it left by. With `order` paths are the shortest that are legal
/// by this usable order. Complete, without loops, the same bytes for the same input. O(switches
/// with destinations * channels + LIDs * channels). Throws Stopped.
ForwardingTables route_round_robin(const Fabric& fabric, const UpDownOrder* order = nullptr,
                                   const StopSignal& stop = {});

}  // namespace pssp
