#include "osm_plugin/scratch_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"

namespace pssp {
namespace {

/// "cassp, lower EFI" as a word.
std::string as_word(std::string name) {
  std::erase(name, ',');
  std::ranges::replace(name, ' ', '+');
  return name;
}

}  // namespace

std::optional<CandidateTables> ScratchRouter::route(const RoutingTask& task) {
  if (task.limits.defer_engine && quick_) {
    if (std::optional<CandidateTables> interim = route_interim(task)) return interim;
  }
  // Nothing is faster than the fastest engine, and it takes no longer than OpenSM's own would.
  const StopSignal stop = quick_ ? task.limits.engine : StopSignal();
  const bool lanes_matter = options_.deadlock.policy != DeadlockPolicy::ignore && task.supply.qos;
  const std::uint64_t bytes = routing_bytes(task.fabric);
  if (quick_ && bytes > task.limits.most_bytes) {
    return route_quickly(task, out_of_memory(bytes), "budget.megabytes");
  }
  try {
    if (lanes_matter) return route_for_lanes(task, stop);
    Routing routing = compute(task.fabric, stop);
    std::string selected = log_notes(routing.notes);
    std::optional<CandidateTables> candidate =
        examiner_.examine(task, std::move(routing.tables), task.limits.engine);
    if (candidate) candidate->selected = std::move(selected);
    return candidate;
  } catch (const Stopped&) {
    return route_quickly(task, out_of_time(task), "budget.seconds");
  }
}

std::optional<CandidateTables> ScratchRouter::route_quickly(const RoutingTask& task,
                                                            const std::string& why,
                                                            std::string_view limit) {
  if (task.limits.has_successor) throw Error(ErrorKind::unsuitable_topology, why);
  log_.detail(fmt::format("{}; pssp, the fastest engine, routes instead", why));
  task.watch.lap();
  std::optional<CandidateTables> candidate =
      examiner_.examine(task, quick_->route(task.fabric).tables, task.limits.all);
  if (candidate) {
    candidate->reason = RoutingReason::substitute;
    candidate->limit = limit;
    candidate->is_substitute = true;
    candidate->computed_by = pssp_engine.name;
  }
  return candidate;
}

/// Tables of the fastest engine, or of up*/down* routing if those can deadlock. Both need one
/// virtual lane, so that no search for lanes delays OpenSM. None if neither is usable.
std::optional<CandidateTables> ScratchRouter::route_interim(const RoutingTask& task) {
  const LaneSupply one_lane{task.supply.qos, 1, 1, task.supply.limit};
  const RoutingTask interim{task.fabric, one_lane, task.limits, task.watch, task.engine_deferred};
  const auto examine = [&](const RoutingEngine& engine, std::string_view name) {
    std::optional<CandidateTables> candidate;
    try {
      candidate = examiner_.examine(interim, engine.route(task.fabric).tables, task.limits.all);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
    }
    if (candidate) candidate->computed_by = name;
    return candidate;
  };
  task.watch.lap();
  std::optional<CandidateTables> candidate = examine(*quick_, pssp_engine.name);
  if (!candidate || candidate->plan.falls_short) {
    candidate = examine(*updown_engine.make({}), updown_engine.name);
  }
  if (!candidate || candidate->plan.falls_short) return std::nullopt;
  candidate->reason = RoutingReason::interim;
  candidate->is_substitute = candidate->is_interim = true;
  task.engine_deferred = true;
  return candidate;
}

/// The first of the engine's tables whose lanes suffice; else the last ones. If the engine is
/// stopped before it has offered all, its first tables, if they may be used.
std::optional<CandidateTables> ScratchRouter::route_for_lanes(const RoutingTask& task,
                                                              const StopSignal& stop) {
  DeadlockOptions deadlock = options_.deadlock;
  deadlock.insist = false;
  std::optional<CandidateTables> first, last;
  std::string selected;
  bool is_accepted = false;
  bool worth_another_sweep = false;
  unsigned rejected = 0;
  double spent_ms = 0;
  // One worker, which is the calling thread: what OpenSM calls starts no threads of ours.
  RouteRequest request{.stop = stop};
  request.accept = [&](const ForwardingTables& tables) {
    last = examiner_.examine(task, tables, deadlock, task.limits.engine);
    is_accepted = last && may_be_used(last->plan);
    if (is_accepted) return true;
    if (++rejected == 1) first = last;
    if (last) {
      worth_another_sweep = worth_another_sweep || last->plan.worth_another_sweep;
      spent_ms += last->route_ms + last->verify_ms + last->lanes_ms;
    }
    return false;
  };
  try {
    Routing routing = engine_->route(task.fabric, request);
    selected = log_notes(routing.notes);
    if (!is_accepted) {
      last = examiner_.examine(task, std::move(routing.tables), task.limits.engine);
    }
  } catch (const Stopped&) {
    if (!first || !first->plan.refusal.empty()) throw;
    log_.detail(
        fmt::format("{} in the search for tables with enough virtual lanes; the engine's "
                    "first tables are used",
                    out_of_time(task)));
    last = std::move(first);
    last->limit = "budget.seconds";
  }
  if (last) last->selected = std::move(selected);
  if (last && rejected != 0) {
    last->route_ms += spent_ms;
    last->plan.worth_another_sweep = last->plan.worth_another_sweep || worth_another_sweep;
    if (is_accepted) last->rejected_for_vls = rejected;
  }
  return last;
}

/// False where other tables might do better.
bool ScratchRouter::may_be_used(const LanePlan& plan) const {
  // Worse tables are tried only if these must not deadlock even for the time of one sweep.
  const bool can_wait =
      options_.deadlock.policy == DeadlockPolicy::prefer && !memory_.requested_sweep;
  return !plan.falls_short || (can_wait && plan.worth_another_sweep);
}

/// Logs what the engine reports of its work. Returns the candidate that it has selected; empty if
/// it has only one.
std::string ScratchRouter::log_notes(const RoutingNotes& notes) const {
  log_.details(notes.warnings);
  if (!notes.tree.empty()) log_.detail(fmt::format("the fabric is {}", notes.tree));
  if (notes.tried.empty()) return {};
  log_.detail(fmt::format("selected {}", describe(notes.tried[notes.chosen])));
  for (const TriedConstruction& each : notes.tried) {
    log_.detail(fmt::format("candidate {}", describe(each)));
  }
  return as_word(notes.tried[notes.chosen].name);
}

}  // namespace pssp
