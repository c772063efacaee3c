// With `stable` the choice starts from the tables that OpenSM last had from this engine, and the
// engine itself is asked only for the first ones, where too little of the last ones is left, or
// where they fall short and its own might not (docs/stable.md). An engine that has several tables
// to offer is asked for tables whose lanes suffice, where lanes can be had at all.
//
// Whatever is chosen has been verified, and its lanes have been planned and proved. A plan that
// falls short is said, and under deadlock.policy=require refused.

#include "osm_plugin/table_chooser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"

namespace pssp {

void TableChooser::say_lines(Importance importance, const std::vector<std::string>& lines) const {
  for (const std::string& line : lines) say_(importance, line);
}

void TableChooser::say_text(Importance importance, std::string_view text) const {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    say_(importance, std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Choice TableChooser::choose(const Fabric& fabric, const LaneSupply& supply) {
  watch_ = Stopwatch();
  Choice choice;
  choice.tables = best_of_both({fabric, supply});
  if (!choice.tables) return choice;
  const LanePlan& plan = choice.tables->plan;
  say_lines(Importance::error, plan.errors);
  say_lines(Importance::info, plan.remarks);
  say_text(Importance::detail, plan.details);
  choice.ask_for_sweep = wants_sweep(plan);
  if (!accepted(plan)) choice.tables.reset();
  return choice;
}

void TableChooser::adopt(const Fabric& fabric, CandidateTables chosen) {
  levels_ = std::move(chosen.plan.levels);
  if (!options_.stable) return;
  last_.emplace();
  last_->switches.reserve(fabric.switch_count());
  for (const Switch& node : fabric.switches()) last_->switches.push_back(node.guid);
  last_->tables = std::move(chosen.tables);
}

/// With `stable`, the last tables brought up to date, unless others can do what these cannot.
std::optional<CandidateTables> TableChooser::best_of_both(const Question& question) {
  std::optional<CandidateTables> stable = reroute_stably(question);
  if (!stable) return route_anew(question);
  if (!stable->plan.falls_short) return stable;
  try {
    std::optional<CandidateTables> anew = route_anew(question);
    if (anew && !anew->plan.falls_short) {
      say_(Importance::info,
           "stable: the last tables brought up to date could deadlock; routed anew");
      return anew;
    }
  } catch (const Error& error) {
    say_(Importance::info, fmt::format("stable: not routed anew: {}", error.what()));
  }
  return stable;
}

/// None where there are no last tables, or too little of them is left.
std::optional<CandidateTables> TableChooser::reroute_stably(const Question& question) {
  if (!options_.stable || !last_) return std::nullopt;
  const ForwardingTables previous =
      transfer_tables(last_->switches, last_->tables, question.fabric);
  StableRouting made = pssp::reroute_stably(question.fabric, previous, *options_.stable);
  const EntryChanges& changes = made.changes;
  const std::string summary = fmt::format("stable: {}", describe(changes));
  // What is added to the tables of a small part of a fabric is worse than tables of the whole: a
  // fabric that comes up piece by piece must not end with these.
  if (changes.kept < changes.replaced + changes.moved + changes.added) {
    say_(Importance::info, fmt::format("{}: less than half; routed anew", summary));
    return std::nullopt;
  }
  std::optional<CandidateTables> candidate =
      examine(question, std::move(made.tables), options_.deadlock);
  if (candidate) {
    candidate->summary = summary;
  } else {
    say_(Importance::error, fmt::format("{}: not usable; routed anew", summary));
  }
  return candidate;
}

/// The engine's tables.
std::optional<CandidateTables> TableChooser::route_anew(const Question& question) {
  const bool lanes_matter =
      options_.deadlock.policy != DeadlockPolicy::ignore && question.supply.qos;
  if (lanes_matter) return route_for_lanes(question);
  return examine(question, engine_->route(question.fabric).tables, options_.deadlock);
}

/// The first of the engine's tables whose lanes suffice; else the last ones.
std::optional<CandidateTables> TableChooser::route_for_lanes(const Question& question) {
  DeadlockOptions deadlock = options_.deadlock;
  deadlock.insist = false;
  std::optional<CandidateTables> last;
  bool is_accepted = false;
  bool worth_another_sweep = false;
  unsigned turned_down = 0;
  double spent_ms = 0;
  // One worker, which is the calling thread: what OpenSM calls starts none of ours.
  RouteRequest request;
  request.accept = [&](const ForwardingTables& tables) {
    last = examine(question, tables, deadlock);
    is_accepted = last && may_be_used(last->plan);
    if (is_accepted) return true;
    ++turned_down;
    if (last) {
      worth_another_sweep = worth_another_sweep || last->plan.worth_another_sweep;
      spent_ms += last->route_ms + last->verify_ms + last->lanes_ms;
    }
    return false;
  };
  Routing routing = engine_->route(question.fabric, request);
  if (!is_accepted) last = examine(question, std::move(routing.tables), options_.deadlock);
  if (last && turned_down != 0) {
    last->route_ms += spent_ms;
    last->plan.worth_another_sweep = last->plan.worth_another_sweep || worth_another_sweep;
    if (is_accepted) {
      last->summary = fmt::format("{} better set{} of tables turned down for want of lanes",
                                  turned_down, turned_down == 1 ? "" : "s");
    }
  }
  return last;
}

/// False where other tables might do better.
bool TableChooser::may_be_used(const LanePlan& plan) const {
  // Only what must not deadlock even for the time of one sweep is looked for among worse tables.
  const bool can_wait = options_.deadlock.policy == DeadlockPolicy::prefer && !asked_for_sweep_;
  return !plan.falls_short || (can_wait && plan.worth_another_sweep);
}

/// Verifies tables that have just been computed and plans their lanes. None when they are not
/// usable.
std::optional<CandidateTables> TableChooser::examine(const Question& question,
                                                     ForwardingTables tables,
                                                     const DeadlockOptions& deadlock) {
  CandidateTables candidate;
  candidate.route_ms = watch_.lap();
  if (!verified(question.fabric, tables)) return std::nullopt;
  candidate.verify_ms = watch_.lap();
  candidate.plan = plan_lanes(question.fabric, tables, question.supply, deadlock,
                              levels_ ? &*levels_ : nullptr, &lane_memory_);
  candidate.lanes_ms = watch_.lap();
  candidate.tables = std::move(tables);
  return candidate;
}

bool TableChooser::verified(const Fabric& fabric, const ForwardingTables& tables) const {
  // Under the other policies the lanes are looked at, which is more.
  const bool credit_loops =
      options_.credit_loop_check && options_.deadlock.policy == DeadlockPolicy::ignore;
  const VerifyReport report = verify(fabric, tables, {.credit_loops = credit_loops});
  if (!report.usable()) {
    say_(Importance::error,
         fmt::format(
             "the tables are not usable: {} unreachable pairs of end ports ({} of them on "
             "different islands), {} unreachable switches, {} forwarding loops, {} entries to "
             "dead ports",
             report.unreachable_pairs, report.separated_pairs, report.unreachable_switch_pairs,
             report.forwarding_loops, report.dead_port_entries));
    say_lines(Importance::error, report.examples);
    return false;
  }
  if (report.separated_pairs != 0) {
    say_(Importance::info,
         fmt::format("the fabric is divided: {} pairs of end ports are on different islands",
                     report.separated_pairs));
  }
  if (report.has_credit_loop()) {
    say_(Importance::info,
         fmt::format("the routes can deadlock under congestion: credit loop of {} channels",
                     report.credit_loop.size()));
    say_text(Importance::detail, describe_credit_loop(fabric, report));
  }
  return true;
}

/// OpenSM sets the operational lanes of ports after it has routed. A second sweep is asked for
/// where that makes the difference; once, because a port need not do what it is told.
bool TableChooser::wants_sweep(const LanePlan& plan) {
  const bool asked_before = std::exchange(asked_for_sweep_, plan.worth_another_sweep);
  if (!plan.worth_another_sweep || asked_before) return false;
  say_(Importance::info, "another heavy sweep is asked for: it will have more virtual lanes");
  return true;
}

/// False when the tables must not be used. Says who chooses the service levels from now on.
bool TableChooser::accepted(const LanePlan& plan) const {
  if (!plan.refusal.empty()) {
    say_(Importance::error, fmt::format("does not route this subnet: {}", plan.refusal));
    return false;
  }
  if (plan.levels && !levels_) {
    say_(Importance::info,
         "more than one virtual lane: this engine chooses the service levels of unicast paths; "
         "those of partitions and qos_policy_file, and qos_*sl2vl, do not count");
  } else if (!plan.levels && levels_) {
    say_(Importance::info, "OpenSM chooses the service levels of unicast paths again");
  }
  return true;
}

}  // namespace pssp
