#pragma once

// Additional LIDs of a host (LMC > 0): paths that differ from those of the base LID.

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The paths that planes may use. Plane k contains the entries for the k-th LIDs of all endpoints;
/// plane 0 those for base LIDs.
struct PlanePaths {
  const UpDownOrder* up_down = nullptr;  ///< the shortest legal paths of this order; null: minimal
};

/// Recomputes all planes except the first, so that the paths to one host differ if possible: LID by
/// LID, plane by plane, each switch, nearest the destination first, chooses the next hop whose path
/// has the fewest channels that other LIDs of the port use, and of these the one with the lowest
/// largest load. Entries for base LIDs and for LIDs that belong to no endpoint stay. O(LIDs * LIDs
/// of a port * channels). Throws Stopped.
ForwardingTables with_diverse_planes(const Fabric& fabric, ForwardingTables tables,
                                     const PlanePaths& paths, const StopSignal& stop = {});

/// The same by arithmetic: with m next hops and n planes, plane k uses the next hop m * k / n
/// positions after that of the base LID, in blocks if m is odd (routing/trees/plane_turns.h). If m
/// < n at the switches with hosts, planes with the same next hop there separate above, if the
/// switches of a rank have equally many next hops. Each plane is as balanced as the base LIDs,
/// mostly also in shifts. O(LIDs * channels).
ForwardingTables with_turned_planes(const Fabric& fabric, ForwardingTables tables,
                                    const PlanePaths& paths, const StopSignal& stop = {});

}  // namespace pssp
