#include "osm_plugin/baseline_router.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/repair/inferred_baseline.h"
#include "routing/repair/legal_order.h"
#include "routing/repair/repair_tables.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"

namespace pssp {
namespace {

constexpr const char* engine_is_next = "the engine routes from scratch";

/// Why the engine's own tables replace those of another subnet manager; empty if these may stay.
std::string why_own(const Fabric& fabric, const CandidateTables& left, const CandidateTables& own) {
  if (left.plan.falls_short && !own.plan.falls_short) return "the earlier tables can deadlock";
  const auto has_loop = [&](const CandidateTables& each) {
    return !each.plan.levels && verify(fabric, each.tables, {.max_examples = 0}).has_credit_loop();
  };
  if (has_loop(left) && !has_loop(own)) return "the earlier tables have a credit loop";
  // Tables of an engine of ours stay within this share after repairs; most tables of other engines
  // do not.
  constexpr double least_part = 0.95;
  const TableScore score = score_without_simulation(Objective::structured_suite);
  const double of_left = score(fabric, left.tables), of_own = score(fabric, own.tables);
  if (of_left >= least_part * of_own) return {};
  return fmt::format("the engine's own tables score {:.3f}, the earlier tables {:.3f}", of_own,
                     of_left);
}

/// Whether they may be the same tables before and after a few cables were lost. Only routes to
/// hosts count, because a lost cable of the leaf at which routes between switches turn changes many
/// routes to switches.
bool are_nearly_same(const Fabric& fabric, const ForwardingTables& a, const ForwardingTables& b) {
  constexpr std::uint64_t one_in = 20;
  std::uint64_t differences = 0, entries = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid)) continue;
      ++entries;
      differences += a.at(SwitchId(s), lid) == b.at(SwitchId(s), lid) ? 0 : 1;
    }
  }
  return one_in * differences <= entries;
}

}  // namespace

ForwardingTables BaselineRouter::last_tables_on(const Fabric& fabric) const {
  return transfer_tables(memory_.last->switches, memory_.last->chosen.tables, fabric);
}

std::optional<CandidateTables> BaselineRouter::examine_repaired(
    const RoutingTask& task, StableRouting made, const std::string& next_step) const {
  std::optional<CandidateTables> candidate =
      examiner_.examine_repaired(task, std::move(made.tables), task.limits.stable);
  if (candidate) {
    candidate->reason = RoutingReason::repaired;
    candidate->changes = made.changes;
  } else {
    log_.detail(fmt::format("repair: {}: not usable; {}", describe(made.changes), next_step));
  }
  return candidate;
}

// ---- with a baseline ----

std::optional<CandidateTables> BaselineRouter::recheck(const RoutingTask& task) const {
  const CandidateTables& last = memory_.last->chosen;
  std::optional<CandidateTables> same =
      examine_repaired(task, {last.tables, all_kept(last.tables)}, "the baseline is repaired");
  if (same) {
    same->reason = RoutingReason::kept;
    same->is_substitute = last.is_substitute;
    same->is_interim = last.is_interim;
    same->computed_by = last.computed_by;
  }
  return same;
}

std::optional<CandidateTables> BaselineRouter::repair(const RoutingTask& task) {
  if (const std::uint64_t bytes = routing_bytes(task.fabric); bytes > task.limits.most_bytes) {
    log_.detail(fmt::format("repair: {}; {}", out_of_memory(bytes), engine_is_next));
    return std::nullopt;
  }
  try {
    return repair_within_limits(task);
  } catch (const Stopped&) {
    log_.detail(fmt::format("repair: {}; {}", out_of_time(task), engine_is_next));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsuitable_topology) throw;
    log_.message(
        {LogCode::failed_check,
         fmt::format("the baseline does not fit this fabric: {}; the engine routes from scratch, "
                     "and many paths can change; report this line with the saved fabric",
                     error.what())});
    memory_.baseline.reset();
  }
  return std::nullopt;
}

std::optional<CandidateTables> BaselineRouter::repair_within_limits(const RoutingTask& task) {
  const Fabric& fabric = task.fabric;
  if (memory_.is_interim) return repair_interim(task);
  if (!memory_.baseline) make_baseline_of_last_tables(task);
  SavedBaseline& baseline = *memory_.baseline;
  std::optional<Baseline> larger =
      grown(baseline.baseline, fabric, *options_.stable, task.limits.stable);
  const ForwardingTables in_force = last_tables_on(fabric);
  StableRouting made = repaired(larger ? *larger : baseline.baseline, fabric, &in_force,
                                *options_.stable, task.limits.stable);
  // Tables that grew from a small part of a fabric are worse than tables of the whole, so a fabric
  // that comes up piece by piece must not end with them.
  if (known_part(baseline.baseline, fabric, made.tables) < 0.5) {
    log_.detail(fmt::format("repair: {}: the baseline contains less than half of the entries; {}",
                            describe(made.changes), engine_is_next));
    return new_baseline(task);
  }
  std::optional<Routing> from_scratch = larger ? growth_.route_larger(task, *larger) : std::nullopt;
  if (from_scratch) {
    growth_.use_better_growth(task, from_scratch->tables, in_force, *larger, made);
  }
  std::optional<CandidateTables> candidate =
      examine_repaired(task, std::move(made), engine_is_next);
  if (!candidate || !larger) return candidate;
  if (from_scratch) {
    std::optional<CandidateTables> newer =
        growth_.compare_with_new_baseline(task, *larger, *std::move(from_scratch));
    if (newer) return newer;
  }
  candidate->baseline = SavedBaseline{*std::move(larger), baseline.levels};
  return candidate;
}

/// The paths keep to the order of the tables in force, so that one virtual lane still suffices.
std::optional<CandidateTables> BaselineRouter::repair_interim(const RoutingTask& task) const {
  const ForwardingTables in_force = last_tables_on(task.fabric);
  const std::vector<std::uint32_t> preference = legal_preference(task.fabric, in_force);
  std::optional<CandidateTables> candidate =
      examine_repaired(task,
                       pssp::repair(task.fabric, {.baseline = in_force, .preference = preference},
                                    *options_.stable, task.limits.stable),
                       engine_is_next);
  if (candidate) {
    candidate->computed_by = memory_.last->chosen.computed_by;
    candidate->is_substitute = candidate->is_interim = true;
  }
  return candidate;
}

/// For tables that were restored without a baseline.
void BaselineRouter::make_baseline_of_last_tables(const RoutingTask& task) {
  StableRouting made = reroute_stably(task.fabric, last_tables_on(task.fabric), *options_.stable,
                                      task.limits.stable);
  memory_.baseline =
      SavedBaseline{make_baseline(task.fabric, std::move(made.tables)), memory_.levels};
}

// ---- without one ----

std::optional<CandidateTables> BaselineRouter::new_baseline(const RoutingTask& task,
                                                            const CandidateTables* left) {
  std::optional<CandidateTables> from_scratch = scratch_.route(task);
  if (!from_scratch || !options_.stable || from_scratch->is_interim) return from_scratch;
  if (memory_.has_substitute()) from_scratch->is_substitute = false;
  if (from_scratch->is_substitute) {
    log_.detail(
        "baseline: not computed yet, because the engine had too little time; the engine computes a "
        "baseline after the next change");
    return from_scratch;
  }
  from_scratch->is_new_baseline = true;
  std::optional<CandidateTables> of_whole = baseline_of_whole(task, *from_scratch, left);
  if (of_whole) from_scratch = std::move(of_whole);
  if (memory_.wants_new_baseline) from_scratch->reason = RoutingReason::rebaselined;
  return from_scratch;
}

/// None if nothing is missing, or the baseline of the complete tree would cost too much today
/// (why_not_whole()). If tables that another subnet manager has left are that baseline repaired, it
/// was the baseline of that manager: then it is the baseline at any cost, because repaired tables
/// would not return to it otherwise.
std::optional<CandidateTables> BaselineRouter::baseline_of_whole(
    const RoutingTask& task, const CandidateTables& from_scratch, const CandidateTables* left) {
  const std::optional<InferredWhole> whole = infer_whole(task.fabric);
  if (!whole) return std::nullopt;
  log_.detail(fmt::format("baseline: {}; the following lines are about the complete tree",
                          describe(*whole)));
  std::string why = "its tables cannot be used";
  try {
    std::optional<CandidateTables> made = repair_whole(task, whole->fabric);
    if (made && left != nullptr && are_nearly_same(task.fabric, left->tables, made->tables)) {
      log_.detail(
          "the baseline is the complete tree, whose tables the earlier subnet manager used");
      return made;
    }
    if (made) {
      why = why_not_whole(task.fabric, {made->tables, made->plan.falls_short},
                          {from_scratch.tables, from_scratch.plan.falls_short});
      if (why.empty()) {
        log_.detail("the baseline is the complete tree");
        return made;
      }
    }
  } catch (const Stopped&) {
    why = out_of_time(task);
  } catch (const Error& error) {
    why = error.what();
  }
  log_.detail(fmt::format("the baseline is the fabric as it is: {}", why));
  return std::nullopt;
}

/// The engine's tables of the complete fabric as the baseline, repaired for the fabric as it is.
std::optional<CandidateTables> BaselineRouter::repair_whole(const RoutingTask& task,
                                                            const Fabric& whole) {
  std::optional<CandidateTables> complete =
      scratch_.route({whole, task.supply, task.limits, task.watch, task.engine_deferred});
  if (!complete || complete->is_substitute) return std::nullopt;
  return route_from_baseline(
      task, {make_baseline(whole, std::move(complete->tables)), complete->plan.levels},
      *options_.stable, examiner_);
}

// ---- with tables of another subnet manager ----

/// Repaired where necessary. None if less than half of the entries can stay, the tables are not
/// usable, or a limit was met.
std::optional<CandidateTables> BaselineRouter::tables_left_by_another(
    const RoutingTask& task) const {
  const Fabric& fabric = task.fabric;
  if (routing_bytes(fabric) > task.limits.most_bytes) return std::nullopt;
  try {
    StableRouting made{last_tables_on(fabric), {}};
    if (verify(fabric, made.tables, {.credit_loops = false, .max_examples = 0}).usable()) {
      made.changes = all_kept(made.tables);
    } else {
      made = reroute_stably(fabric, made.tables, *options_.stable, task.limits.stable);
    }
    if (2 * made.changes.kept < entry_count(made.tables)) {
      log_.detail(fmt::format("takeover: {}: kept less than half of the entries; {}",
                              describe(made.changes), engine_is_next));
      return std::nullopt;
    }
    std::optional<CandidateTables> candidate =
        examine_repaired(task, std::move(made), engine_is_next);
    if (candidate) candidate->reason = RoutingReason::takeover;
    return candidate;
  } catch (const Stopped&) {
    log_.detail(fmt::format("takeover: {}; {}", out_of_time(task), engine_is_next));
    return std::nullopt;
  }
}

std::optional<CandidateTables> BaselineRouter::take_over(const RoutingTask& task) {
  std::optional<CandidateTables> left = tables_left_by_another(task);
  if (left && task.limits.defer_engine) {
    task.engine_deferred = left->is_interim = true;
    return left;
  }
  std::optional<CandidateTables> own;
  try {
    own = new_baseline(task, left ? &*left : nullptr);
  } catch (const Error& error) {
    if (!left) throw;
    log_.detail(fmt::format("takeover: the engine does not route this fabric: {}", error.what()));
  }
  if (!left) return own;
  const std::string reason = own ? why_own(task.fabric, *left, *own) : "";
  log_.detail(reason.empty()
                  ? "takeover: the tables of the earlier subnet manager stay"
                  : fmt::format("takeover: the engine's own tables replace those of the earlier "
                                "subnet manager: {}",
                                reason));
  // The same tables with the baseline that they came from are worth more.
  if (!reason.empty() || (own && own->tables == left->tables)) return own;
  // If a cable was lost with the master, the tables differ a little; no other entry changes now.
  if (own && own->baseline && are_nearly_same(task.fabric, left->tables, own->tables)) {
    left->baseline = std::move(own->baseline);
  }
  return left;
}

}  // namespace pssp
