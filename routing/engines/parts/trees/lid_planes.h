#pragma once

// Second and further LIDs of a host (LMC > 0): other ways than those of the first.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// A plane is what the tables say of the k-th LIDs of all endpoints; plane 0 is that of their base
/// LIDs. The paths that planes may take: the shortest, or others.
struct PlanePaths {
  const UpDownOrder* up_down = nullptr;  ///< the shortest that are legal by it
};

/// The tables with all planes but the first chosen again, so that the ways to one host differ where
/// they can: LID by LID, plane by plane, each switch, nearest the destination first, takes the next
/// hop with the fewest channels on the way that other LIDs of the port use, and of these the one
/// with the smallest largest load. Entries for base LIDs and for LIDs of no endpoint stay. O(LIDs *
/// LIDs of a port * channels). Throws Stopped.
ForwardingTables with_diverse_planes(const Fabric& fabric, ForwardingTables tables,
                                     const PlanePaths& paths, const StopSignal& stop = {});

/// Likewise, by arithmetic: plane k takes, of the next hops that a switch has for a host, the one
/// k shares of them behind that of the base LID, in blocks where they are odd in number
/// (routing/trees/plane_turns.h); where they are fewer than planes, planes that agree at the
/// switches with hosts part above them, as far as switches of a rank have equally many next hops.
/// Each plane is as balanced as the base LIDs, and shifts are mostly so, too. O(LIDs *
/// channels).
ForwardingTables with_turned_planes(const Fabric& fabric, ForwardingTables tables,
                                    const PlanePaths& paths, const StopSignal& stop = {});

}  // namespace pssp
