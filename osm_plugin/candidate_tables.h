#pragma once

// What a routing is asked for (RoutingTask), and what it leads to (Choice).

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "osm_plugin/lane_plan.h"
#include "osm_plugin/log_message.h"
#include "osm_plugin/routing_report.h"
#include "osm_plugin/routing_state.h"
#include "routing/options/deadlock_options.h"
#include "routing/options/plugin_options.h"
#include "routing/repair/entry_changes.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// Time in milliseconds since construction or the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = Clock::now();
    return milliseconds(now - std::exchange(lap_, now));
  }
  double total() const { return milliseconds(Clock::now() - start_); }

 private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }
  Clock::time_point start_ = Clock::now();
  Clock::time_point lap_ = start_;
};

/// Takes the lines for the log.
using LogSink = std::function<void(const LogMessage&)>;

struct ChooserOptions {
  DeadlockOptions deadlock;
  /// Under DeadlockPolicy::ignore: search for credit loops, and log them.
  bool credit_loop_check = true;
  std::optional<StableOptions> stable;      ///< none: the engine computes all tables anew
  Rebaseline rebaseline = Rebaseline::ask;  ///< what happens when the fabric outgrows its baseline
  std::uint32_t rebaseline_gain = 5;        ///< per cent, for Rebaseline::automatic
};

/// Limits of one routing. A step that a signal ends is discarded completely, and the next step
/// follows, so that the tables are always those of one complete step.
struct ChoiceLimits {
  StopSignal stable = {};  ///< ends the repair of tables and the search for their lanes
  StopSignal engine = {};  ///< ends the engine and the search for the lanes of its tables
  StopSignal all = {};     ///< ends the search for the lanes of the fastest engine's tables
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
  /// OpenSM has a next engine: if this engine meets a limit, the next one routes, and not the
  /// fastest engine of the plugin.
  bool has_successor = false;
  /// Do not run the engine: use interim or repaired tables, and set Choice::engine_deferred if the
  /// engine must run in the background (background_router.h).
  bool defer_engine = false;
};

/// One routing.
struct RoutingTask {
  const Fabric& fabric;
  const LaneSupply& supply;
  const ChoiceLimits& limits;
  Stopwatch& watch;       ///< since the routing began
  bool& engine_deferred;  ///< set if the engine did not run because of defer_engine
};

/// Verified tables with a plan of their lanes.
struct CandidateTables {
  ForwardingTables tables;
  LanePlan plan = {};
  std::optional<EntryChanges> changes = {};  ///< of repaired tables: against those in force
  std::string selected = {};            ///< the candidate that an engine has selected among several
  std::string_view limit = {};          ///< the option that ended the engine's work too early
  std::uint64_t unreachable_pairs = 0;  ///< pairs of hosts on different islands
  std::string unreachable_example = {};  ///< one of them
  double route_ms = 0, verify_ms = 0, lanes_ms = 0;
  std::optional<double> index = {};  ///< edge forwarding index, if it was computed
  /// The baseline that belongs to the tables if it is not made of the tables themselves: the
  /// previous baseline with new parts, or that of a complete fabric.
  std::optional<SavedBaseline> baseline = {};
  unsigned rejected_for_vls = 0;  ///< better tables that need more virtual lanes
  RoutingReason reason = RoutingReason::scratch;
  std::optional<bool> has_credit_loop = {};  ///< on one lane; none: not checked
  std::string_view computed_by = {};         ///< another engine; empty: the engine itself
  bool unchanged = false;                    ///< the last tables: the fabric has not changed
  bool is_new_baseline =
      false;                   ///< once OpenSM has the tables, they or `baseline` are the baseline
  bool is_substitute = false;  ///< no baseline: the engine had too little time
  bool is_interim = false;     ///< until the engine's tables are ready: no baseline
};

struct Choice {
  std::optional<CandidateTables> tables;
  std::string refusal;  ///< why there are none
  /// The next sweep will have more lanes, and no one has asked for it yet.
  bool ask_for_sweep = false;
  /// The engine did not run because of ChoiceLimits::defer_engine.
  bool engine_deferred = false;
  bool was_refined = false;  ///< the tables or their baseline were computed in the background
};

/// Bytes that an engine of this project, or stable rerouting, needs at most to route the fabric: an
/// estimate, three times what was measured (docs/reference/plugin.md).
std::uint64_t routing_bytes(const Fabric& fabric);

/// Entries that lead to a port.
std::uint64_t entry_count(const ForwardingTables& tables);
/// The changes of tables that stay.
EntryChanges all_kept(const ForwardingTables& tables);

// ---- clauses for the log ----

/// "stopped after 2.1 s (budget.seconds)"
std::string out_of_time(const RoutingTask& task);
/// "would need about 300 MiB of memory (budget.megabytes)"
std::string out_of_memory(std::uint64_t bytes);

/// The log of a routing.
class RoutingLog {
 public:
  explicit RoutingLog(LogSink sink) : sink_(std::move(sink)) {}

  void message(const LogMessage& message) const { sink_(message); }
  void detail(std::string text) const { sink_({LogDetail{}, std::move(text)}); }
  void details(const std::vector<std::string>& lines) const {
    for (const std::string& line : lines) detail(line);
  }
  /// A detail for each line of the text.
  void text(std::string_view text) const;

 private:
  LogSink sink_;
};

}  // namespace pssp
