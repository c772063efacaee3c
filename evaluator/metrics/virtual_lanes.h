#pragma once

// Virtual lanes: how many lanes make forwarding tables deadlock-free, and how an assignment of
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
  /// Search for the number of lanes if one does not suffice; the cost is that of assign_lanes().
  bool search = false;
  /// Include routes to and from the management ports of switches.
  bool switch_ports = true;
};

/// Fewest lanes for which an assignment of the tables' routes is known; max_data_lanes + 1: not
/// even all lanes of InfiniBand suffice. None: more than one, without a search. `report` must be
/// that of verify() with the search for credit loops. O(LIDs * switches) without search. Throws
/// Error(mismatch) as verify() does.
std::optional<unsigned> lanes_needed(const Fabric& fabric, const ForwardingTables& tables,
                                     const VerifyReport& report, const LaneNeedOptions& options);

/// By level, up to the highest in use: routed pairs of an endpoint and a LID of an endpoint at
/// another switch. O(LIDs * switches). Tables and levels must have the size of the fabric.
std::vector<std::uint64_t> pairs_by_lane(const Fabric& fabric, const ForwardingTables& tables,
                                         const ServiceLevels& levels);

}  // namespace pssp
