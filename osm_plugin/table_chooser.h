#pragma once

// Which tables a routing hands to OpenSM: those of the baseline, repaired where something is
// missing, the engine's own, or none. Nothing of OpenSM is known here, so that it can be tried
// without it.
//
// Begin reading osm_plugin/ here; then routing/repair/baseline.h.

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "osm_plugin/lane_memory.h"
#include "osm_plugin/lane_plan.h"
#include "osm_plugin/log_message.h"
#include "osm_plugin/path_levels.h"
#include "osm_plugin/routing_report.h"
#include "osm_plugin/routing_state.h"
#include "routing/engines/engine.h"
#include "routing/options/deadlock_options.h"
#include "routing/options/plugin_options.h"
#include "routing/repair/baseline.h"
#include "routing/repair/entry_changes.h"
#include "routing/repair/inferred_baseline.h"
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
  /// Under DeadlockPolicy::ignore: look for credit loops, and report them.
  bool credit_loop_check = true;
  std::optional<StableOptions> stable;      ///< none: each routing is made again
  Rebaseline rebaseline = Rebaseline::ask;  ///< what is done about a baseline that was outgrown
  std::uint32_t rebaseline_gain = 5;        ///< per cent, for Rebaseline::automatic
};

/// What one choice may take. Work that is ended by a signal is thrown away whole and the next in
/// the order is taken: the tables are always those that one step makes when nothing disturbs it.
struct ChoiceLimits {
  StopSignal stable = {};  ///< ends repair, with the lanes of what is repaired
  StopSignal engine = {};  ///< ends the engine, with the lanes of its tables
  StopSignal all = {};     ///< ends the search for lanes of tables made in the engine's stead
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
  /// OpenSM has another engine to ask: then that one takes over, and not the quickest of ours.
  bool has_successor = false;
};

/// Bytes that an engine of this project, or stable rerouting, needs at most to route the fabric: an
/// estimate, three times what was measured (docs/reference/plugin.md).
std::uint64_t routing_bytes(const Fabric& fabric);

/// Tables that may be handed over: verified, and their lanes planned.
struct CandidateTables {
  ForwardingTables tables;
  LanePlan plan = {};
  std::optional<EntryChanges> changes = {};  ///< against those in force; of repaired tables
  std::string selected = {};            ///< the candidate that an engine has selected among several
  std::string_view limit = {};          ///< the option that has ended the engine's work too early
  std::uint64_t unreachable_pairs = 0;  ///< pairs of hosts on different islands
  std::string unreachable_example = {};  ///< one of them
  double route_ms = 0, verify_ms = 0, lanes_ms = 0;
  double index = 0;  ///< edge forwarding index, once it is computed
  /// With `is_new_baseline`: the previous baseline with new parts, or that of a complete fabric.
  std::optional<SavedBaseline> baseline = {};
  unsigned rejected_for_vls = 0;  ///< better tables that need more virtual lanes
  RoutingReason reason = RoutingReason::scratch;
  std::optional<bool> has_credit_loop = {};  ///< on one lane; none: not checked
  bool by_quickest = false;                  ///< computed by the fastest engine instead
  bool unchanged = false;                    ///< the last tables: the fabric has not changed
  bool is_new_baseline =
      false;  ///< once OpenSM has them, these tables or `baseline` are the baseline
  bool is_substitute = false;  ///< no baseline: the engine had too little time
};

struct Choice {
  std::optional<CandidateTables> tables;
  std::string refusal;  ///< why there are none
  /// The next sweep will have more lanes, and no one has asked for it yet.
  bool ask_for_sweep = false;
};

class TableChooser {
 public:
  /// `quick` routes where the engine is cut short; none: the engine is the quickest itself, and
  /// only its searches for lanes are ended.
  TableChooser(std::unique_ptr<RoutingEngine> engine, const ChooserOptions& options, LogSink log,
               std::unique_ptr<RoutingEngine> quick = nullptr)
      : engine_(std::move(engine)),
        quick_(std::move(quick)),
        options_(options),
        log_(std::move(log)) {}

  /// Where fabric and lanes are as they were, the same again, at the cost of a digest and a copy:
  /// O(ports + switches * LIDs). Throws what the engine throws.
  Choice choose(const Fabric& fabric, const LaneSupply& supply, const ChoiceLimits& limits = {});

  /// OpenSM has the tables now: their levels are in force. With `stable` the first ones are the
  /// baseline: what all later tables come back to.
  void adopt(const Fabric& fabric, CandidateTables chosen);

  /// What an earlier opensm had, or what the switches have: as if it had been adopted. Where it has
  /// no baseline its tables become the baseline if they are usable on the fabric of the first
  /// choice. Only with `stable`, and before the first choice.
  void restore(RoutingState state);
  /// What another manager has left in the switches. Where there is a baseline it is repaired with
  /// these in force; else no one knows who made them, and they become the baseline if they, with
  /// what is missing repaired, are about as good as the engine's own. Only with `stable`.
  void take_over(const RoutingState& in_force);
  /// Entries that the tables change, against those that were adopted last; all where there are
  /// none. O(entries).
  std::uint64_t changed_entries(const Fabric& fabric, const CandidateTables& chosen) const;
  /// For the next start: what was adopted last, under those options. There must have been
  /// something.
  RoutingStateView state(const DigestValue& options) const;
  bool is_stable() const noexcept { return options_.stable.has_value(); }
  /// Whether there is something that tables come back to.
  bool has_baseline() const noexcept { return baseline_.has_value(); }
  /// With `stable`: the next choice is the engine's, and the baseline from then on. Until that has
  /// led to tables the old baseline stays.
  void ask_for_new_baseline() noexcept { wants_new_baseline_ = options_.stable.has_value(); }

  /// Of the tables that were adopted last; none where OpenSM chooses the levels. They outlive a
  /// choice that fails.
  const std::optional<PathLevels>& levels() const noexcept { return levels_; }

 private:
  /// All that a choice depends on beside the options and what came before.
  struct RoutingContext {
    DigestValue fabric{};
    bool qos = false;
    unsigned lanes = 0, lanes_after_sweep = 0;
    std::string limit;
    bool asked_for_sweep = false;
    bool has_successor = false;

    friend bool operator==(const RoutingContext&, const RoutingContext&) = default;
  };
  /// The tables of a routing, for the next one.
  struct LastTables {
    std::vector<Guid> switches;                     // by row
    CandidateTables chosen;                         // its levels are in levels_
    std::optional<DigestValue> fabric;              // that they were made for; none: not known
    std::optional<RoutingContext> routing_context;  // none: restored, or of another's making
  };
  /// A choice that led to nothing.
  struct Failure {
    RoutingContext routing_context;
    std::optional<Error> error;  // that was thrown; none: the plan was not accepted
    LanePlan plan;
  };
  /// What one choice is about.
  struct Question {
    const Fabric& fabric;
    const LaneSupply& supply;
    const ChoiceLimits& limits;
    const RoutingContext& now;
  };

  bool known_to_fail(const RoutingContext& now, Choice& choice);
  bool pass(Choice& choice, const LanePlan& plan);
  CandidateTables same_again() const;
  std::optional<CandidateTables> best_of_both(const Question& question);
  std::optional<CandidateTables> previous_or_repaired(const Question& question);
  std::optional<CandidateTables> repaired(const Question& question);
  std::optional<CandidateTables> examine_stable(const Question& question, StableRouting made,
                                                const std::string& what_next);
  void make_baseline_of_previous(const Question& question);
  std::optional<CandidateTables> saved_or_own_tables(const Question& question);
  std::optional<CandidateTables> left_by_another(const Question& question);
  std::optional<CandidateTables> first_baseline(const Question& question,
                                                const CandidateTables* left = nullptr);
  std::optional<CandidateTables> baseline_of_whole(const Question& question,
                                                   const CandidateTables& from_scratch,
                                                   const CandidateTables* left);
  std::optional<CandidateTables> repaired_whole(const Question& question, const Fabric& whole);
  std::optional<CandidateTables> baseline_repaired(const Question& question,
                                                   SavedBaseline baseline);
  bool is_outgrown(const Baseline& larger) const;
  std::optional<Routing> route_larger(const Question& question, const Baseline& larger);
  void take_better_growth(const Question& question, const ForwardingTables& from_scratch,
                          const ForwardingTables& in_force, Baseline& larger,
                          StableRouting& made) const;
  std::optional<CandidateTables> compare_with_new_baseline(const Question& question,
                                                           const Baseline& larger,
                                                           Routing from_scratch);
  std::optional<CandidateTables> route_from_scratch(const Question& question);
  std::optional<CandidateTables> route_for_lanes(const Question& question, const StopSignal& stop);
  std::optional<CandidateTables> route_quickly(const Question& question, const std::string& why,
                                               std::string_view limit);
  std::optional<CandidateTables> examine(const Question& question, ForwardingTables tables,
                                         const DeadlockOptions& deadlock, const StopSignal& stop);
  EarlierLevels earlier_levels() const;
  bool may_be_used(const LanePlan& plan) const;
  bool verified(const Fabric& fabric, const ForwardingTables& tables,
                CandidateTables& candidate) const;
  bool wants_sweep(const LanePlan& plan);
  bool accepted(const LanePlan& plan) const;
  std::string log_notes(const RoutingNotes& notes) const;
  void log_lines(const std::vector<std::string>& lines) const;
  void log_text(std::string_view text) const;
  void log_detail(std::string text) const { log_({LogDetail{}, std::move(text)}); }

  std::unique_ptr<RoutingEngine> engine_, quick_;
  ChooserOptions options_;
  LogSink log_;
  Stopwatch watch_;

  // From one routing to the next.
  std::optional<LastTables> last_;
  std::optional<SavedBaseline> baseline_;
  std::optional<Failure> failure_;
  std::optional<RoutingContext> asked_;  // of the choice that may be adopted
  std::optional<PathLevels> levels_;
  LaneMemory lane_memory_;
  bool asked_for_sweep_ = false;
  bool wants_new_baseline_ = false;
  std::size_t hosts_when_evaluated_ =
      0;                             // of the baseline, when it was new or compared with a new one
  bool is_left_by_another_ = false;  // what last_ has
};

}  // namespace pssp
