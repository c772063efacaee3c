#include "osm_plugin/table_chooser.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "fabric/fabric_digest.h"
#include "routing/repair/entry_changes.h"
#include "routing/repair/table_transfer.h"

namespace pssp {

TableChooser::TableChooser(std::shared_ptr<const RoutingEngine> engine,
                           const ChooserOptions& options, LogSink log,
                           std::shared_ptr<const RoutingEngine> quick)
    : engine_(std::move(engine)),
      quick_(std::move(quick)),
      options_(options),
      log_(std::move(log)),
      examiner_(options_, memory_, log_),
      scratch_router_(engine_, quick_, options_, memory_, examiner_, log_),
      baseline_router_(options_, memory_, examiner_, scratch_router_, log_) {}

// ---- states and events ----

ChooserState TableChooser::state_for(const RoutingContext& now) const {
  if (memory_.failure && memory_.failure->context == now) return ChooserState::failed;
  if (memory_.is_left_by_another) return ChooserState::taken_over;
  // Tables of a substitute are no baseline before the engine had its chance.
  const bool has_tables =
      is_stable() && memory_.last && (is_interim() || !memory_.has_substitute());
  return has_baseline() || has_tables ? ChooserState::with_baseline : ChooserState::no_baseline;
}

RoutingEvent TableChooser::event_of(const RoutingContext& now, bool request_deferred) const {
  if (memory_.wants_new_baseline && !request_deferred) return RoutingEvent::new_baseline_request;
  if (!memory_.last) return RoutingEvent::fabric;
  if (memory_.last->context == now) return RoutingEvent::nothing;
  const bool is_same = is_stable() && memory_.last->fabric == now.fabric;
  return is_same ? RoutingEvent::lanes : RoutingEvent::fabric;
}

RoutingAction TableChooser::next_action(const RoutingContext& now, bool request_deferred) const {
  return actions_of_states.at(static_cast<std::size_t>(state_for(now)))
      .at(static_cast<std::size_t>(event_of(now, request_deferred)));
}

/// The tables in force stay, or are repaired, while the engine computes the new baseline.
bool TableChooser::defers_request(const ChoiceLimits& limits) const {
  return limits.defer_engine && memory_.wants_new_baseline && (has_baseline() || is_interim());
}

RoutingContext TableChooser::context_of(const Fabric& fabric, const LaneSupply& supply,
                                        const ChoiceLimits& limits) const {
  return {digest_of(fabric),        supply.qos,   supply.lanes,
          supply.lanes_after_sweep, supply.limit, memory_.requested_sweep,
          limits.has_successor};
}

Choice TableChooser::choose(const Fabric& fabric, const LaneSupply& supply,
                            const ChoiceLimits& limits) {
  Stopwatch watch;
  if (!limits.defer_engine) memory_.is_interim = false;  // the engine routes now
  bool engine_deferred = defers_request(limits);
  const RoutingTask task{fabric, supply, limits, watch, engine_deferred};
  const RoutingContext now = context_of(fabric, supply, limits);
  chosen_context_.reset();
  const RoutingAction action = next_action(now, engine_deferred);
  if (action == RoutingAction::refuse) return refuse();
  return run_and_finish(action, task, now);
}

Choice TableChooser::run_and_finish(RoutingAction action, const RoutingTask& task,
                                    const RoutingContext& now) {
  memory_.failure.reset();
  try {
    std::optional<CandidateTables> tables = run(action, task);
    if (rejects_request(tables)) tables = run(next_action(now), task);
    Choice choice = finish(std::move(tables), now);
    choice.engine_deferred = task.engine_deferred;
    return choice;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsuitable_topology) {
      memory_.failure = RoutingMemory::Failure{now, error, {}};
    }
    throw;
  }
}

// ---- actions ----

std::optional<CandidateTables> TableChooser::run(RoutingAction action, const RoutingTask& task) {
  switch (action) {
    case RoutingAction::keep:
      return keep();
    case RoutingAction::recheck:
      if (std::optional<CandidateTables> same = baseline_router_.recheck(task)) {
        return unless_deadlock(task, *std::move(same));
      }
      return has_baseline() || !memory_.has_substitute() ? repair(task)
                                                         : baseline_router_.new_baseline(task);
    case RoutingAction::repair:
      return repair(task);
    case RoutingAction::take_over:
      return baseline_router_.take_over(task);
    default:
      return baseline_router_.new_baseline(task);
  }
}

CandidateTables TableChooser::keep() const {
  CandidateTables same = memory_.last->chosen;
  same.plan.levels = memory_.levels;
  same.plan.changes_now.clear();
  same.plan.changed_levels = 0;
  same.plan.keeps_levels = memory_.levels.has_value();
  same.reason = RoutingReason::kept;
  if (is_stable()) same.changes = all_kept(same.tables);
  same.route_ms = same.verify_ms = same.lanes_ms = 0;
  same.unchanged = true;
  return same;
}

std::optional<CandidateTables> TableChooser::repair(const RoutingTask& task) {
  std::optional<CandidateTables> stable = baseline_router_.repair(task);
  if (stable) return unless_deadlock(task, *std::move(stable));
  return has_baseline() ? scratch_router_.route(task) : baseline_router_.new_baseline(task);
}

/// `stable`, unless it can deadlock and the engine has tables that cannot.
std::optional<CandidateTables> TableChooser::unless_deadlock(const RoutingTask& task,
                                                             CandidateTables stable) {
  if (stable.is_new_baseline || !stable.plan.falls_short) return stable;
  if (task.limits.defer_engine && stable.plan.refusal.empty()) {
    task.engine_deferred = true;
    return stable;
  }
  try {
    std::optional<CandidateTables> from_scratch = scratch_router_.route(task);
    if (from_scratch && !from_scratch->plan.falls_short) {
      log_.detail("repair: the repaired tables can deadlock; the engine routes from scratch");
      // The baseline has the new parts all the same, and they are not compared again.
      from_scratch->baseline = std::move(stable.baseline);
      return from_scratch;
    }
  } catch (const Error& error) {
    log_.detail(fmt::format(
        "repair: the repaired tables are used, because the engine does not route this fabric: {}",
        error.what()));
  }
  return stable;
}

/// Whether a new baseline was requested and there is none, because the engine had too little time
/// for it. Then the request is dropped.
bool TableChooser::rejects_request(const std::optional<CandidateTables>& made) {
  if (!memory_.wants_new_baseline || !has_baseline() || !made || !made->is_substitute) return false;
  log_.detail(
      "rebaseline: the baseline stays, because the engine had too little time; raise "
      "budget.seconds");
  memory_.wants_new_baseline = false;
  return true;
}

Choice TableChooser::refuse() {
  if (memory_.failure->error) throw Error(*memory_.failure->error);
  Choice choice;
  accept_plan(choice, memory_.failure->plan);
  return choice;
}

// ---- what follows from the tables ----

Choice TableChooser::finish(std::optional<CandidateTables> tables, const RoutingContext& now) {
  Choice choice;
  if (!tables) {
    choice.refusal = "its tables are not usable";
    return choice;
  }
  if (!accept_plan(choice, tables->plan)) {
    tables->plan.levels.reset();
    memory_.failure = RoutingMemory::Failure{now, std::nullopt, std::move(tables->plan)};
    return choice;
  }
  if (tables->unreachable_pairs != 0 && !tables->unchanged) {
    log_.message(
        {LogCode::unreachable_hosts,
         fmt::format("the fabric is divided: {} pairs of end ports are on different islands and "
                     "cannot communicate ({}); check links and switches",
                     tables->unreachable_pairs, tables->unreachable_example)});
  }
  choice.tables = std::move(tables);
  chosen_context_ = now;
  return choice;
}

/// Logs a plan; false when its tables must not be used.
bool TableChooser::accept_plan(Choice& choice, const LanePlan& plan) {
  for (const LogMessage& each : plan.remarks) log_.message(each);
  log_.details(plan.changes_now);
  log_.text(plan.details);
  choice.ask_for_sweep = wants_sweep(plan);
  choice.refusal = plan.refusal;
  if (!plan.refusal.empty()) return false;
  if (plan.levels && !memory_.levels) {
    log_.detail(
        "virtual lanes: the plugin sets the service levels of unicast paths; those of partitions, "
        "qos_policy_file and qos_*sl2vl have no effect");
  } else if (!plan.levels && memory_.levels) {
    log_.detail("virtual lanes: OpenSM sets the service levels of unicast paths again");
  }
  return true;
}

/// OpenSM sets the operational lanes of ports after it has routed, so a second sweep is requested
/// if that makes the difference; once, because a port need not obey.
bool TableChooser::wants_sweep(const LanePlan& plan) {
  const bool requested_before = std::exchange(memory_.requested_sweep, plan.worth_another_sweep);
  if (!plan.worth_another_sweep || requested_before) return false;
  log_.detail("virtual lanes: requested another heavy sweep, in which more lanes are operational");
  return true;
}

// ---- the engine in the background ----

std::unique_ptr<TableChooser> TableChooser::copy_for_background(LogSink log) {
  auto copy = std::make_unique<TableChooser>(engine_, options_, std::move(log), quick_);
  if (is_interim()) {
    // Without the interim tables, because the engine routes from scratch.
    copy->memory_.wants_new_baseline = memory_.wants_new_baseline;
    copy->memory_.failure = memory_.failure;
    copy->memory_.failed_searches = memory_.failed_searches;
    copy->memory_.requested_sweep = memory_.requested_sweep;
  } else {
    copy->memory_ = memory_;
  }
  memory_.wants_new_baseline = false;
  return copy;
}

Choice TableChooser::choose_from(TableChooser& from_background, const Fabric& fabric,
                                 const LaneSupply& supply, const ChoiceLimits& limits) {
  Stopwatch watch;
  bool engine_deferred = false;
  const RoutingContext now = context_of(fabric, supply, limits);
  RoutingMemory& made = from_background.memory_;
  memory_.baseline = std::exchange(made.baseline, std::nullopt);
  memory_.is_interim = false;
  memory_.hosts_when_evaluated = made.hosts_when_evaluated;
  memory_.failed_searches = std::move(made.failed_searches);
  chosen_context_.reset();
  if (made.last->context == now) return use_as_they_are(made, now);
  Choice choice =
      run_and_finish(RoutingAction::repair, {fabric, supply, limits, watch, engine_deferred}, now);
  choice.was_refined = true;
  return choice;
}

/// The copy has verified the tables and logged the remarks of their plan.
Choice TableChooser::use_as_they_are(RoutingMemory& made, const RoutingContext& now) {
  Choice choice;
  CandidateTables& tables = choice.tables.emplace(std::move(made.last->chosen));
  tables.plan.levels = std::exchange(made.levels, std::nullopt);
  tables.plan.changed_levels = tables.plan.levels && memory_.levels
                                   ? tables.plan.levels->changes_since(*memory_.levels).changed
                                   : 0;
  tables.changes.reset();
  choice.ask_for_sweep = made.requested_sweep && !memory_.requested_sweep;
  memory_.requested_sweep = made.requested_sweep;
  choice.was_refined = true;
  memory_.failure.reset();
  chosen_context_ = now;
  return choice;
}

// ---- what is kept ----

void TableChooser::adopt(const Fabric& fabric, CandidateTables chosen) {
  std::optional<SavedBaseline>& baseline = memory_.baseline;
  memory_.levels = std::exchange(chosen.plan.levels, std::nullopt);
  if (chosen.baseline) {
    baseline = std::exchange(chosen.baseline, std::nullopt);
  } else if (chosen.is_interim) {
    memory_.is_interim = true;
  } else if (is_stable() && (chosen.is_new_baseline || (!baseline && !chosen.is_substitute))) {
    baseline = SavedBaseline{make_baseline(fabric, chosen.tables), memory_.levels};
  }
  if (std::exchange(chosen.is_new_baseline, false)) {
    memory_.wants_new_baseline = memory_.is_interim = false;
  }
  if (baseline && memory_.hosts_when_evaluated == 0) {
    memory_.hosts_when_evaluated = baseline->baseline.fabric.endpoints().size();
  }
  memory_.is_left_by_another = false;
  RoutingMemory::LastTables& last = memory_.last.emplace();
  last.switches = switch_guids(fabric);
  last.chosen = std::move(chosen);
  last.context = std::exchange(chosen_context_, std::nullopt);
  if (last.context) last.fabric = last.context->fabric;
}

void TableChooser::restore(RoutingState state) {
  memory_.levels = std::move(state.levels);
  memory_.baseline = std::move(state.baseline);
  RoutingMemory::LastTables& last = memory_.last.emplace();
  last.switches = std::move(state.switches);
  last.chosen.tables = std::move(state.tables);
  if (state.fabric != DigestValue{}) last.fabric = state.fabric;
}

void TableChooser::take_over(const RoutingState& in_force) {
  memory_.failure.reset();
  RoutingMemory::LastTables& last = memory_.last.emplace();
  last.switches = in_force.switches;
  last.chosen.tables = in_force.tables;
  memory_.is_left_by_another = !has_baseline();
}

std::uint64_t TableChooser::changed_entries(const Fabric& fabric,
                                            const CandidateTables& chosen) const {
  if (chosen.unchanged) return 0;
  if (!memory_.last) return entry_count(chosen.tables);
  const ForwardingTables before =
      transfer_tables(memory_.last->switches, memory_.last->chosen.tables, fabric);
  const EntryChanges changes =
      count_changes(before, chosen.tables, [](SwitchId, Lid) { return false; });
  return changes.replaced + changes.added + changes.removed;
}

RoutingStateView TableChooser::state(const DigestValue& options) const {
  const RoutingMemory::LastTables& last = *memory_.last;
  return {options,
          last.fabric.value_or(DigestValue{}),
          last.switches,
          last.chosen.tables,
          memory_.levels ? &*memory_.levels : nullptr,
          has_baseline() ? &*memory_.baseline : nullptr};
}

}  // namespace pssp
