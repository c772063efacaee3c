#pragma once

// Deadlock avoidance for one routing: which service levels the paths get, or why they get none.

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

/// The virtual lanes of a subnet.
struct LaneSupply {
  bool qos = false;  ///< OpenSM programs SL2VL tables
  /// Data lanes of every link between switches, 1 .. 15: operational now, and permitted after the
  /// sweep.
  unsigned lanes = 1;
  /// `lanes` after OpenSM has set the operational lanes of all ports, which follows the routing.
  unsigned lanes_after_sweep = 1;
  std::string limit;  ///< what limits the number of lanes, and which setting to change; a clause
};

struct LanePlan {
  /// Proved deadlock-free. None: one lane suffices for all paths at any level, or no assignment was
  /// found or requested; OpenSM then chooses the levels.
  std::optional<PathLevels> levels;
  /// The tables can deadlock, or their deadlock freedom could not be proved.
  bool falls_short = false;
  /// Why the tables must not be used; empty if they may be used.
  std::string refusal;
  /// The next sweep will have more lanes, and can make the tables deadlock-free.
  bool worth_another_sweep = false;
  /// Virtual lanes used by the paths, and lanes of the subnet; 0: not planned, or falls_short.
  unsigned lanes_used = 0, lanes = 0;
  bool keeps_levels = false;         ///< `levels` are those of earlier tables
  std::uint64_t changed_levels = 0;  ///< existing routes whose service level changes
  std::vector<LogMessage> remarks;
  std::vector<std::string> changes_now;  ///< temporary changes that only this routing makes
  std::string details;                   ///< the remaining cycle, one line per channel
};

/// Limits of a search for lanes. Results of steps that reach the time limit are discarded, so that
/// results do not depend on the speed of the machine.
struct LaneLimits {
  StopSignal stop = {};
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// Levels of earlier tables; null if there are none.
struct EarlierLevels {
  const PathLevels* in_force = nullptr;
  const PathLevels* in_baseline = nullptr;  ///< the levels of the baseline
  /// The baseline, if the tables were repaired from it.
  const Baseline* repaired_from = nullptr;
};

/// Keeps earlier levels if they are proved for the new tables, preferably those of the baseline:
/// open connections use them anyway, and no search is needed. In repaired tables, routes that are
/// unchanged from the baseline keep their levels if compatible levels exist for the other routes
/// (extended_levels.h; not with `reversible`). Does not throw if there are too few lanes. O(LIDs *
/// switches) with one lane, otherwise the cost of assign_lanes(). `memory` (may be null) prevents
/// searches that failed before, and records new failures and time-outs.
LanePlan plan_lanes(const Fabric& fabric, const ForwardingTables& tables, const LaneSupply& supply,
                    const DeadlockOptions& options, const EarlierLevels& earlier = {},
                    LaneMemory* memory = nullptr, const LaneLimits& limits = {});

}  // namespace pssp
