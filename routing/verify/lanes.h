#pragma once

// Proof that tables with service levels cannot deadlock: the channel dependency graph of every
// virtual lane has no cycle. Shares nothing with the code that assigns lanes (routing/deadlock/),
// and takes tables and levels from anywhere.

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
  /// Routes (source switch, LID) that arrive and have no level.
  std::uint64_t routes_without_level = 0;
  std::string example_without_level;  ///< names the first of them
  /// A cycle in the graph of lane `cycle_lane`, the lowest that has one; empty when none has.
  std::vector<ChannelId> cycle;
  unsigned cycle_lane = 0;

  bool is_deadlock_free() const noexcept { return cycle.empty() && routes_without_level == 0; }
};

/// Level l of `levels` is lane l. O(LIDs * switches * lanes) at most. Throws Error(mismatch) when
/// tables or levels are of another number of switches than the fabric.
LaneReport verify_lanes(const Fabric& fabric, const ForwardingTables& tables,
                        const ServiceLevels& levels, const LaneVerifyOptions& options = {});

/// The same, if all routes have level 0: O(LIDs * switches), and several times as fast.
LaneReport verify_one_lane(const Fabric& fabric, const ForwardingTables& tables);

/// What is wrong, for people: the cycle, one line a channel, or the route without a level. Empty
/// when nothing is.
std::string describe_deadlock(const Fabric& fabric, const LaneReport& report);

}  // namespace pssp
