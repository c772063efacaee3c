#pragma once

// Chooses the tables of each routing: those of the baseline, repaired for the fabric as it is, the
// engine's own, or none. Uses nothing of OpenSM, so that tests need no OpenSM.
//
// Begin reading osm_plugin/ here; then baseline_router.h, and routing/repair/baseline.h.
//
// A state machine: the state is what the last routing left, the event is what has changed since,
// and actions_of_states says what is done then. docs/explanation/incremental-rerouting.md has the
// diagram.
//
// Each step has its part of the time budget, and is discarded completely when that is over
// (docs/reference/plugin.md). So OpenSM gets one of a few sets of tables, and never unfinished work
// of a slow machine. A failure is remembered until something changes: work that has taken too long
// is not repeated in every sweep. All tables are verified, and their lanes are planned and proved.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/digest.h"
#include "fabric/fabric.h"
#include "osm_plugin/baseline_router.h"
#include "osm_plugin/candidate_tables.h"
#include "osm_plugin/routing_memory.h"
#include "osm_plugin/routing_state.h"
#include "osm_plugin/scratch_router.h"
#include "osm_plugin/table_examiner.h"
#include "routing/engines/engine.h"

namespace pssp {

/// What the last routing left.
enum class ChooserState : std::uint8_t {
  no_baseline,  ///< nothing to repair: no tables yet, only those of a substitute, or stable=off
  /// A baseline, tables that become the baseline, or interim tables; complete or repaired.
  with_baseline,
  taken_over,  ///< the switches have tables of another subnet manager, and there is no baseline
  failed,      ///< the last routing led to no tables, and nothing has changed since
};

/// What has changed since the last routing.
enum class RoutingEvent : std::uint8_t {
  nothing,               ///< fabric, lanes and limits are as before
  lanes,                 ///< only the lanes or limits, or opensm was restarted
  fabric,                ///< the fabric, or its last tables are not known
  new_baseline_request,  ///< the administrator requests a new baseline
};

enum class RoutingAction : std::uint8_t {
  keep,          ///< the last tables with their lanes
  recheck,       ///< the last tables, verified, with new lanes; else repair
  repair,        ///< the baseline, repaired; else the engine's tables
  new_baseline,  ///< the engine's tables, which become the baseline if stable=on
  take_over,     ///< the tables in the switches or the engine's own
  refuse,        ///< no tables, for the same reason as before
};

using ActionRow = std::array<RoutingAction, 4>;  // by RoutingEvent
inline constexpr std::array<ActionRow, 4> actions_of_states = [] {
  using enum RoutingAction;
  return std::array<ActionRow, 4>{{
      // nothing, lanes,   fabric,       new_baseline_request
      {keep, recheck, new_baseline, new_baseline},      // no_baseline
      {keep, recheck, repair, new_baseline},            // with_baseline
      {take_over, take_over, take_over, new_baseline},  // taken_over
      {refuse, refuse, refuse, refuse},                 // failed
  }};
}();

class TableChooser {
 public:
  /// `quick` routes where the engine is cut short; none: the engine is the fastest itself, and the
  /// limits end only its searches for lanes.
  TableChooser(std::shared_ptr<const RoutingEngine> engine, const ChooserOptions& options,
               LogSink log, std::shared_ptr<const RoutingEngine> quick = nullptr);
  TableChooser(const TableChooser&) = delete;
  TableChooser& operator=(const TableChooser&) = delete;

  /// If fabric and lanes are as before, the last tables, at the cost of a digest and a copy:
  /// O(ports + switches * LIDs). Throws what the engine throws.
  Choice choose(const Fabric& fabric, const LaneSupply& supply, const ChoiceLimits& limits = {});

  /// To be called between choose() with ChoiceLimits::defer_engine and adopt(): a copy that can
  /// repeat the choice with the engine, in another thread. A request for a new baseline moves to
  /// the copy. O(entries).
  std::unique_ptr<TableChooser> copy_for_background(LogSink log);
  /// As choose(), when `from_background`, a copy_for_background(), has chosen and adopted tables:
  /// returns these tables if the context is the same, else their baseline repaired for the fabric.
  /// `from_background` must not be used afterwards.
  Choice choose_from(TableChooser& from_background, const Fabric& fabric, const LaneSupply& supply,
                     const ChoiceLimits& limits = {});
  /// All that choose() depends on besides the options and earlier choices. O(ports).
  RoutingContext context_of(const Fabric& fabric, const LaneSupply& supply,
                            const ChoiceLimits& limits) const;

  /// OpenSM has the tables now: their levels are in force. With `stable` the first ones are the
  /// baseline, to which all later tables return.
  void adopt(const Fabric& fabric, CandidateTables chosen);

  /// What an earlier opensm had, as if it had been adopted. Without a baseline its tables become
  /// the baseline if they are usable on the fabric of the first choice. Only with `stable`, and
  /// before the first choice.
  void restore(RoutingState state);
  /// What another subnet manager has left in the switches. A baseline, if there is one, is repaired
  /// with these tables in force; else ChooserState::taken_over follows. Only with `stable`.
  void take_over(const RoutingState& in_force);
  /// Entries that the tables change against those that were adopted last; all if there are none.
  /// O(entries).
  std::uint64_t changed_entries(const Fabric& fabric, const CandidateTables& chosen) const;
  /// For the next start: what was adopted last, under those options. Something must have been
  /// adopted.
  RoutingStateView state(const DigestValue& options) const;
  bool is_stable() const noexcept { return options_.stable.has_value(); }
  bool has_baseline() const noexcept { return memory_.baseline.has_value(); }
  /// Whether the last tables are interim tables, or these repaired.
  bool is_interim() const noexcept { return memory_.is_interim; }
  /// With `stable`: the next choice is the engine's, and the baseline from then on. The old
  /// baseline stays until there are such tables.
  void ask_for_new_baseline() noexcept { memory_.wants_new_baseline = is_stable(); }

  /// Of the tables that were adopted last; none where OpenSM chooses the levels. They outlive a
  /// choice that fails.
  const std::optional<PathLevels>& levels() const noexcept { return memory_.levels; }

 private:
  RoutingAction next_action(const RoutingContext& now, bool request_deferred = false) const;
  ChooserState state_for(const RoutingContext& now) const;
  RoutingEvent event_of(const RoutingContext& now, bool request_deferred) const;
  bool defers_request(const ChoiceLimits& limits) const;
  Choice run_and_finish(RoutingAction action, const RoutingTask& task, const RoutingContext& now);
  std::optional<CandidateTables> run(RoutingAction action, const RoutingTask& task);
  CandidateTables keep() const;
  std::optional<CandidateTables> repair(const RoutingTask& task);
  std::optional<CandidateTables> unless_deadlock(const RoutingTask& task, CandidateTables stable);
  bool rejects_request(const std::optional<CandidateTables>& made);
  Choice refuse();
  Choice finish(std::optional<CandidateTables> tables, const RoutingContext& now);
  bool accept_plan(Choice& choice, const LanePlan& plan);
  bool wants_sweep(const LanePlan& plan);
  Choice use_as_they_are(RoutingMemory& made, const RoutingContext& now);

  std::shared_ptr<const RoutingEngine> engine_, quick_;
  ChooserOptions options_;
  RoutingLog log_;
  RoutingMemory memory_;
  std::optional<RoutingContext> chosen_context_;  // of the choice that may be adopted
  TableExaminer examiner_;
  ScratchRouter scratch_router_;
  BaselineRouter baseline_router_;
};

}  // namespace pssp
