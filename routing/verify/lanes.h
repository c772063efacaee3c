#pragma once

// Proof that tables with service levels cannot deadlock: the channel dependency graph of no virtual
// lane has a cycle. Shares no code with the assignment of lanes (routing/deadlock/), and accepts
// tables and service levels from any source.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

struct LaneVerifyOptions {
  /// Routes to and from the management ports of switches count too.
  bool switch_ports = true;
};

struct LaneReport {
  unsigned lanes = 0;  ///< highest level that a route has, plus one
  /// By lane: edges of its channel dependency graph.
  std::vector<std::uint64_t> dependencies;
  /// Routes (source switch, LID) that arrive but have no service level.
  std::uint64_t routes_without_level = 0;
  std::string example_without_level;  ///< names the first of these routes
  /// A cycle in the graph of lane `cycle_lane`, the lowest lane with a cycle; empty if there is
  /// none.
  std::vector<ChannelId> cycle;
  unsigned cycle_lane = 0;

  bool is_deadlock_free() const noexcept { return cycle.empty() && routes_without_level == 0; }
};

/// Level l of `levels` is lane l. O(LIDs * switches * lanes) at most. Throws Error(mismatch) if the
/// tables or the levels have another number of switches than the fabric.
LaneReport verify_lanes(const Fabric& fabric, const ForwardingTables& tables,
                        const ServiceLevels& levels, const LaneVerifyOptions& options = {});

/// The same, but all routes have level 0: O(LIDs * switches), and several times faster.
LaneReport verify_one_lane(const Fabric& fabric, const ForwardingTables& tables);

/// A message about the defects: the cycle, one line per channel, or the route without a level.
/// Empty if there are none.
std::string describe_deadlock(const Fabric& fabric, const LaneReport& report);

}  // namespace pssp
