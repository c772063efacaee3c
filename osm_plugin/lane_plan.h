#pragma once

// What is done against deadlocks in one routing: which service levels the paths get, or why they
// get none.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "osm_plugin/lane_memory.h"
#include "osm_plugin/log_message.h"
#include "osm_plugin/path_levels.h"
#include "routing/options/deadlock_options.h"
#include "routing/repair/baseline.h"

namespace pssp {

/// The virtual lanes that a subnet has.
struct LaneSupply {
  bool qos = false;  ///< OpenSM programs SL2VL tables
  /// Data lanes that every link between switches has, 1 .. 15: operational now, and allowed to
  /// stay so.
  unsigned lanes = 1;
  /// The same once OpenSM has set the operational lanes of all ports, which it does after routing.
  unsigned lanes_after_sweep = 1;
  std::string limit;  ///< what keeps it from having more, and what to set; a clause
};

struct LanePlan {
  /// Proved. None: one lane is enough for all paths whatever their level, or nothing could be done,
  /// or nothing was asked for; OpenSM chooses the levels.
  std::optional<PathLevels> levels;
  /// The tables can deadlock, or that was to be ruled out and could not be.
  bool falls_short = false;
  /// Why the tables must not be used; empty when they may.
  std::string refusal;
  /// The next sweep will have more lanes, and with them it could be done.
  bool worth_another_sweep = false;
  /// Virtual lanes that the paths use, and that the subnet has; 0: not planned, or falls_short.
  unsigned lanes_used = 0, lanes = 0;
  bool keeps_levels = false;         ///< `levels` are those of earlier tables
  std::uint64_t changed_levels = 0;  ///< routes of before that have another service level now
  std::vector<LogMessage> remarks;
  std::vector<std::string> changes_now;  ///< of what this routing changes and the next does not
  std::string details;                   ///< the cycle that remains, a line a channel
};

/// What a search for lanes may take. Work that is ended by the clock is thrown away whole, so that
/// what comes out is what the search finds in full or nothing.
struct LaneLimits {
  StopSignal stop = {};
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// Levels of earlier tables; null where there are none.
struct EarlierLevels {
  const PathLevels* in_force = nullptr;
  const PathLevels* in_baseline = nullptr;  ///< those of the tables that all others come back to
  /// The baseline, if the tables were repaired from it.
  const Baseline* repaired_from = nullptr;
};

/// Earlier levels are kept where they are proved for the new tables too, those of the baseline
/// first: open connections keep theirs anyway, and the search is saved. In repaired tables, routes
/// that are as in the baseline keep their levels if the other routes find levels beside them
/// (extended_levels.h; not with `reversible`). Never throws for want of lanes. One lane costs
/// O(LIDs * switches), more a search (assign_lanes()). `memory`, where there is one, is asked
/// before a search is made, and told when it has failed or was cut short.
LanePlan plan_lanes(const Fabric& fabric, const ForwardingTables& tables, const LaneSupply& supply,
                    const DeadlockOptions& options, const EarlierLevels& earlier = {},
                    LaneMemory* memory = nullptr, const LaneLimits& limits = {});

}  // namespace pssp
