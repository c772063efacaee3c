#pragma once

// Virtual lanes: how many forwarding tables need to be free of deadlocks, and how an assignment of
// service levels spreads the traffic over them. See docs/explanation/deadlock.md.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "routing/verify/verify.h"

namespace pssp {

struct LaneNeedOptions {
  /// Search for the number of lanes where one does not suffice; assign_lanes() says what that
  /// costs.
  bool search = false;
  /// Routes to and from the management ports of switches count, too.
  bool switch_ports = true;
};

/// Fewest lanes for which an assignment of the tables' routes is known; max_data_lanes + 1: not
/// even all lanes of InfiniBand sufficed. Nothing: more than one, and not searched for. `report` is
/// that of verify() with the search for credit loops. O(LIDs * switches) without search. Throws
/// Error(mismatch) as verify() does.
std::optional<unsigned> lanes_needed(const Fabric& fabric, const ForwardingTables& tables,
                                     const VerifyReport& report, const LaneNeedOptions& options);

/// By level, up to the highest in use: pairs of an endpoint and a LID of an endpoint at another
/// switch, as far as they have a route. O(LIDs * switches). Tables and levels must be of the
/// fabric's size.
std::vector<std::uint64_t> pairs_by_lane(const Fabric& fabric, const ForwardingTables& tables,
                                         const ServiceLevels& levels);

}  // namespace pssp
