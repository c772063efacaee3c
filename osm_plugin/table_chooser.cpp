// With `stable` the engine is asked for the first tables, which are the baseline: what the fabric
// has when nothing is missing. Each later choice repairs the baseline as the fabric is then
// (routing/repair/repair_tables.h), so that tables return to the baseline when all is there again,
// whatever happened in between. What is new in the fabric is added to the baseline. The engine
// itself is asked again where the baseline knows less than half of the fabric, which makes it a new
// baseline, or where what is repaired falls short and its own might not, which does not
// (docs/explanation/incremental-rerouting.md). An engine that has several tables to offer is asked
// for tables whose lanes suffice, where lanes can be had at all.
//
// Who takes over from another manager starts from the tables that the switches hold. With a
// baseline of its own it repairs that. Without one it cannot know whether they are those of an
// engine of ours with a history, which should stay, or of somebody who routes worse: so its engine
// is asked, too, and what was left has to be about as good.
//
// Each step has its part of the time, and is thrown away whole when that is over
// (docs/reference/plugin.md): the baseline repaired, then the engine's, then those of the next
// engine in OpenSM's list or, where there is none, of our quickest. So OpenSM gets one of a few
// sets of tables, and never what a slower machine would have left half done. As long as nothing
// changes the outcome is remembered, a failure too: what has taken too long is not tried again in
// every sweep.
//
// Whatever is chosen has been verified, and its lanes have been planned and proved. A plan that
// falls short is said, and under deadlock.policy=require refused.

#include "osm_plugin/table_chooser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/fabric_digest.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/repair/entry_changes.h"
#include "routing/repair/new_baseline.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"

namespace pssp {
namespace {

std::string cut_short(double milliseconds) {
  return fmt::format("stopped after {:.1f} s (budget.seconds)", milliseconds / 1000);
}

std::string too_much_memory(std::uint64_t bytes) {
  return fmt::format("would need about {} MiB of memory (budget.megabytes)", bytes >> 20U);
}

/// "cassp, relieved" as a word.
std::string as_word(std::string name) {
  std::erase(name, ',');
  std::ranges::replace(name, ' ', '+');
  return name;
}

std::uint64_t entry_count(const ForwardingTables& tables) {
  const auto entries = tables.entries();
  return entries.size() - static_cast<std::uint64_t>(std::ranges::count(entries, no_port));
}

EntryChanges all_kept(const ForwardingTables& tables) {
  EntryChanges changes;
  changes.kept = entry_count(tables);
  return changes;
}

/// Why the engine's own tables are used instead of those that another manager has left; empty where
/// these may stay.
std::string why_own(const Fabric& fabric, const CandidateTables& left, const CandidateTables& own) {
  if (left.plan.falls_short && !own.plan.falls_short) return "those can deadlock";
  const auto has_loop = [&](const CandidateTables& each) {
    return !each.plan.levels && verify(fabric, each.tables, {.max_examples = 0}).has_credit_loop();
  };
  if (has_loop(left) && !has_loop(own)) return "those have a credit loop";
  // What repair has cost our tables stays within that; other engines' mostly do not.
  constexpr double least_part = 0.95;
  const TableScore score = score_without_simulation(Objective::structured_suite);
  const double of_left = score(fabric, left.tables), of_own = score(fabric, own.tables);
  if (of_left >= least_part * of_own) return {};
  return fmt::format("the engine's own score is {:.3f}, the other one {:.3f}", of_own, of_left);
}

/// Whether they may be the same tables before and after a few cables were lost.
bool are_nearly_same(const ForwardingTables& a, const ForwardingTables& b) {
  constexpr std::uint64_t one_in = 20;
  const EntryChanges changes = count_changes(a, b, [](SwitchId, Lid) { return false; });
  return one_in * (changes.replaced + changes.added + changes.removed) <= entry_count(a);
}

}  // namespace

void TableChooser::log_lines(const std::vector<std::string>& lines) const {
  for (const std::string& line : lines) log_detail(line);
}

void TableChooser::log_text(std::string_view text) const {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    log_detail(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::uint64_t routing_bytes(const Fabric& fabric) {
  // Measured: 7.5 bytes an entry beyond the fabric itself, in best; distances of all pairs of
  // switches; what is kept of each channel.
  constexpr std::uint64_t of_entry = 24, of_pair = 4, of_channel = 200;
  const std::uint64_t switches = fabric.switch_count();
  return of_entry * switches * fabric.lids().size() + of_pair * switches * switches +
         of_channel * fabric.channel_count();
}

Choice TableChooser::choose(const Fabric& fabric, const LaneSupply& supply,
                            const ChoiceLimits& limits) {
  watch_ = Stopwatch();
  Choice choice;
  asked_.reset();
  const RoutingContext now{digest_of(fabric),        supply.qos,   supply.lanes,
                           supply.lanes_after_sweep, supply.limit, asked_for_sweep_,
                           limits.has_successor};
  if (known_to_fail(now, choice)) return choice;
  failure_.reset();
  try {
    choice.tables = last_ && last_->routing_context == now && !wants_new_baseline_
                        ? same_again()
                        : best_of_both({fabric, supply, limits, now});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsuitable_topology) failure_ = Failure{now, error, {}};
    throw;
  }
  if (!choice.tables) {
    choice.refusal = "its tables are not usable";
    return choice;
  }
  if (!pass(choice, choice.tables->plan)) {
    choice.tables->plan.levels.reset();
    failure_ = Failure{now, std::nullopt, std::move(choice.tables->plan)};
    choice.tables.reset();
    return choice;
  }
  const CandidateTables& chosen = *choice.tables;
  if (chosen.unreachable_pairs != 0 && !chosen.unchanged) {
    log_({LogCode::unreachable_hosts,
          fmt::format("the fabric is divided: {} pairs of end ports are on different islands and "
                      "cannot communicate ({}); check links and switches",
                      chosen.unreachable_pairs, chosen.unreachable_example)});
  }
  asked_ = now;
  return choice;
}

/// Logs what there is to know of a plan; false when its tables must not be used.
bool TableChooser::pass(Choice& choice, const LanePlan& plan) {
  for (const LogMessage& each : plan.remarks) log_(each);
  log_lines(plan.changes_now);
  log_text(plan.details);
  choice.ask_for_sweep = wants_sweep(plan);
  choice.refusal = plan.refusal;
  return accepted(plan);
}

/// Where the last choice has failed and nothing has changed since, fails as it did.
bool TableChooser::known_to_fail(const RoutingContext& now, Choice& choice) {
  if (!failure_ || !(failure_->routing_context == now)) return false;
  if (failure_->error) throw Error(*failure_->error);
  return !pass(choice, failure_->plan);
}

/// The last tables, of a fabric that is what it was.
CandidateTables TableChooser::same_again() const {
  CandidateTables same = last_->chosen;
  same.plan.levels = levels_;
  same.plan.changes_now.clear();
  same.plan.changed_levels = 0;
  same.plan.keeps_levels = levels_.has_value();
  same.reason = RoutingReason::kept;
  if (options_.stable) same.changes = all_kept(same.tables);
  same.route_ms = same.verify_ms = same.lanes_ms = 0;
  same.unchanged = true;
  return same;
}

void TableChooser::adopt(const Fabric& fabric, CandidateTables chosen) {
  levels_ = std::exchange(chosen.plan.levels, std::nullopt);
  if (chosen.baseline) {
    baseline_ = std::exchange(chosen.baseline, std::nullopt);
  } else if (options_.stable && (chosen.is_new_baseline || (!baseline_ && !chosen.is_substitute))) {
    baseline_ = SavedBaseline{make_baseline(fabric, chosen.tables), levels_};
  }
  if (std::exchange(chosen.is_new_baseline, false)) wants_new_baseline_ = false;
  if (baseline_ && hosts_when_evaluated_ == 0)
    hosts_when_evaluated_ = baseline_->baseline.fabric.endpoints().size();
  is_left_by_another_ = false;
  last_.emplace();
  last_->switches = switch_guids(fabric);
  last_->chosen = std::move(chosen);
  last_->routing_context = std::exchange(asked_, std::nullopt);
  if (last_->routing_context) last_->fabric = last_->routing_context->fabric;
}

void TableChooser::restore(RoutingState state) {
  const auto if_known = [](const DigestValue& digest) {
    return digest == DigestValue{} ? std::nullopt : std::optional(digest);
  };
  levels_ = std::move(state.levels);
  baseline_ = std::move(state.baseline);
  last_.emplace();
  last_->switches = std::move(state.switches);
  last_->chosen.tables = std::move(state.tables);
  last_->fabric = if_known(state.fabric);
}

void TableChooser::take_over(const RoutingState& in_force) {
  failure_.reset();
  last_.emplace();
  last_->switches = in_force.switches;
  last_->chosen.tables = in_force.tables;
  is_left_by_another_ = !baseline_;
}

std::uint64_t TableChooser::changed_entries(const Fabric& fabric,
                                            const CandidateTables& chosen) const {
  if (chosen.unchanged) return 0;
  if (!last_) return entry_count(chosen.tables);
  const ForwardingTables before = transfer_tables(last_->switches, last_->chosen.tables, fabric);
  const EntryChanges changes =
      count_changes(before, chosen.tables, [](SwitchId, Lid) { return false; });
  return changes.replaced + changes.added + changes.removed;
}

RoutingStateView TableChooser::state(const DigestValue& options) const {
  return {options,
          last_->fabric.value_or(DigestValue{}),
          last_->switches,
          last_->chosen.tables,
          levels_ ? &*levels_ : nullptr,
          baseline_ ? &*baseline_ : nullptr};
}

/// With `stable`, the baseline as far as it goes, unless others can do what its tables cannot.
std::optional<CandidateTables> TableChooser::best_of_both(const Question& question) {
  if (wants_new_baseline_) {
    std::optional<CandidateTables> from_scratch = first_baseline(question);
    if (!from_scratch || !from_scratch->is_substitute || !baseline_) return from_scratch;
    log_detail(
        "rebaseline: the baseline stays, because the engine had too little time; raise "
        "budget.seconds");
    wants_new_baseline_ = false;
  }
  if (is_left_by_another_) return saved_or_own_tables(question);
  std::optional<CandidateTables> stable = previous_or_repaired(question);
  if (!stable) return baseline_ ? route_from_scratch(question) : first_baseline(question);
  if (stable->is_new_baseline || !stable->plan.falls_short) return stable;
  try {
    std::optional<CandidateTables> from_scratch = route_from_scratch(question);
    if (from_scratch && !from_scratch->plan.falls_short) {
      log_detail("repair: the repaired tables can deadlock; the engine routes from scratch");
      // What is new is in the baseline all the same, and is not asked about again.
      from_scratch->baseline = std::move(stable->baseline);
      return from_scratch;
    }
  } catch (const Error& error) {
    log_detail(fmt::format(
        "repair: the repaired tables are used, because the engine does not route this fabric: {}",
        error.what()));
  }
  return stable;
}

/// None where there is no baseline, it cannot be used, or it takes too long.
std::optional<CandidateTables> TableChooser::previous_or_repaired(const Question& question) {
  if (!options_.stable || !last_) return std::nullopt;
  // What has not changed is not even balanced.
  if (last_->fabric == question.now.fabric) {
    std::optional<CandidateTables> same =
        examine_stable(question, {last_->chosen.tables, all_kept(last_->chosen.tables)},
                       "the baseline is repaired");
    if (same) {
      same->reason = RoutingReason::kept;
      same->is_substitute = last_->chosen.is_substitute;
      same->by_quickest = last_->chosen.by_quickest;
      return same;
    }
  }
  if (const std::uint64_t bytes = routing_bytes(question.fabric);
      bytes > question.limits.most_bytes) {
    log_detail(fmt::format("repair: {}; the engine routes from scratch", too_much_memory(bytes)));
    return std::nullopt;
  }
  // What was made in the engine's stead is no baseline before the engine had its chance.
  if (!baseline_ && last_->chosen.is_substitute) return std::nullopt;
  try {
    return repaired(question);
  } catch (const Stopped&) {
    log_detail(
        fmt::format("repair: {}; the engine routes from scratch", cut_short(watch_.total())));
    return std::nullopt;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsuitable_topology) throw;
    log_({LogCode::failed_check,
          fmt::format("the baseline does not fit this fabric: {}; the engine routes from scratch, "
                      "and many paths can change; report this line with the saved fabric",
                      error.what())});
    baseline_.reset();
    return std::nullopt;
  }
}

/// Tables of the baseline for the fabric as it is. Where the baseline knows too little of that: the
/// engine's, which are a new baseline.
std::optional<CandidateTables> TableChooser::repaired(const Question& question) {
  const Fabric& fabric = question.fabric;
  if (!baseline_) make_baseline_of_previous(question);
  std::optional<Baseline> larger =
      grown(baseline_->baseline, fabric, *options_.stable, question.limits.stable);
  const ForwardingTables in_force = transfer_tables(last_->switches, last_->chosen.tables, fabric);
  StableRouting made = pssp::repaired(larger ? *larger : baseline_->baseline, fabric, &in_force,
                                      *options_.stable, question.limits.stable);
  // What is added to the tables of a small part of a fabric is worse than tables of the whole: a
  // fabric that comes up piece by piece must not end with these.
  if (known_part(baseline_->baseline, fabric, made.tables) < 0.5) {
    log_detail(
        fmt::format("repair: {}: the baseline has less than half; the engine routes from "
                    "scratch",
                    describe(made.changes)));
    return first_baseline(question);
  }
  std::optional<Routing> from_scratch = larger ? route_larger(question, *larger) : std::nullopt;
  if (from_scratch) take_better_growth(question, from_scratch->tables, in_force, *larger, made);
  std::optional<CandidateTables> candidate =
      examine_stable(question, std::move(made), "the engine routes from scratch");
  if (!candidate || !larger) return candidate;
  if (from_scratch) {
    std::optional<CandidateTables> newer =
        compare_with_new_baseline(question, *larger, *std::move(from_scratch));
    if (newer) return newer;
  }
  candidate->baseline = SavedBaseline{*std::move(larger), baseline_->levels};
  return candidate;
}

/// The engine's tables where there is no baseline, or a new one is wanted; with `stable` they are
/// the baseline. On a tree from which something is missing the baseline is of the tree when it is
/// whole, and the tables are that baseline, repaired. What was made in the engine's stead is no
/// baseline, but when that happens a second time.
std::optional<CandidateTables> TableChooser::first_baseline(const Question& question,
                                                            const CandidateTables* left) {
  std::optional<CandidateTables> from_scratch = route_from_scratch(question);
  if (!from_scratch || !options_.stable) return from_scratch;
  if (from_scratch->is_substitute && last_ && last_->chosen.is_substitute)
    from_scratch->is_substitute = false;
  if (from_scratch->is_substitute) {
    log_detail(
        "baseline: none yet, because the engine had too little time; it computes one after the "
        "next change");
    return from_scratch;
  }
  from_scratch->is_new_baseline = true;
  std::optional<CandidateTables> of_whole = baseline_of_whole(question, *from_scratch, left);
  if (of_whole) from_scratch = std::move(of_whole);
  if (wants_new_baseline_) from_scratch->reason = RoutingReason::rebaselined;
  return from_scratch;
}

/// None where nothing is missing, or the baseline would cost too much today (why_not_whole()).
/// Tables that somebody has left, and that are this baseline repaired, show that it was the
/// baseline of that manager: then it is the baseline at any cost, since repaired tables do not
/// return to it otherwise.
std::optional<CandidateTables> TableChooser::baseline_of_whole(const Question& question,
                                                               const CandidateTables& from_scratch,
                                                               const CandidateTables* left) {
  const std::optional<InferredWhole> whole = infer_whole(question.fabric);
  if (!whole) return std::nullopt;
  log_detail(fmt::format("baseline: {}; the following lines are about the complete tree",
                         describe(*whole)));
  std::string why = "its tables cannot be used";
  try {
    std::optional<CandidateTables> made = repaired_whole(question, whole->fabric);
    if (made && left != nullptr && are_nearly_same(left->tables, made->tables)) {
      log_detail("the baseline is the complete tree, whose tables the earlier subnet manager used");
      return made;
    }
    if (made) {
      why = why_not_whole(question.fabric, {made->tables, made->plan.falls_short},
                          {from_scratch.tables, from_scratch.plan.falls_short});
      if (why.empty()) {
        log_detail("the baseline is the complete tree");
        return made;
      }
    }
  } catch (const Stopped&) {
    why = cut_short(watch_.total());
  } catch (const Error& error) {
    why = error.what();
  }
  log_detail(fmt::format("the baseline is the fabric as it is: {}", why));
  return std::nullopt;
}

/// The engine's tables of a whole fabric as the baseline, repaired for what is there of it.
std::optional<CandidateTables> TableChooser::repaired_whole(const Question& question,
                                                            const Fabric& whole) {
  std::optional<CandidateTables> in_baseline =
      route_from_scratch({whole, question.supply, question.limits, question.now});
  if (!in_baseline || in_baseline->is_substitute) return std::nullopt;
  return baseline_repaired(
      question, {make_baseline(whole, std::move(in_baseline->tables)), in_baseline->plan.levels});
}

std::optional<CandidateTables> TableChooser::baseline_repaired(const Question& question,
                                                               SavedBaseline baseline) {
  StableRouting made = pssp::repaired(baseline.baseline, question.fabric, nullptr, *options_.stable,
                                      question.limits.engine);
  std::optional<CandidateTables> candidate =
      examine(question, std::move(made.tables), options_.deadlock, question.limits.engine);
  if (!candidate) return std::nullopt;
  candidate->reason = RoutingReason::inferred;
  candidate->is_new_baseline = true;
  candidate->baseline = std::move(baseline);
  return candidate;
}

/// Whether the baseline has got other switches or cables, or a tenth more hosts than it was judged
/// with.
bool TableChooser::is_outgrown(const Baseline& larger) const {
  const Fabric& before = baseline_->baseline.fabric;
  const Fabric& now = larger.fabric;
  return now.switch_count() != before.switch_count() ||
         now.channel_count() != before.channel_count() ||
         10 * now.endpoints().size() > 11 * hosts_when_evaluated_;
}

/// The engine's tables for a fabric that has outgrown its baseline. None where it is not wanted
/// them (and where is_outgrown() is not so), or they cannot be had, which is said.
std::optional<Routing> TableChooser::route_larger(const Question& question,
                                                  const Baseline& larger) {
  if (options_.rebaseline == Rebaseline::never || !is_outgrown(larger)) return std::nullopt;
  hosts_when_evaluated_ = larger.fabric.endpoints().size();
  try {
    return engine_->route(larger.fabric, {.stop = question.limits.engine});
  } catch (const Stopped&) {
    log_detail(
        "fabric growth: the gain of a new baseline is not known, because the engine had too little "
        "time; raise budget.seconds");
  } catch (const Error& error) {
    log_detail(fmt::format("fabric growth: the engine computes no new baseline: {}", error.what()));
  }
  return std::nullopt;
}

/// Where the baseline is worth more with other entries for what is new (other_growths()), that is
/// what has grown, and `made` are the tables repaired from it. Only on trees whose paths are all
/// legal, where one lane does as it did before. What goes wrong on the way there costs no more than
/// the gain.
void TableChooser::take_better_growth(const Question& question,
                                      const ForwardingTables& from_scratch,
                                      const ForwardingTables& in_force, Baseline& larger,
                                      StableRouting& made) const {
  const StopSignal& stop = question.limits.stable;
  try {
    constexpr double least_gain = 1.01;  // less is within what the figures are good for
    std::vector<Baseline> others = other_growths(from_scratch, baseline_->baseline, larger,
                                                 question.fabric, *options_.stable, stop);
    const TableEvaluator evaluate = evaluate_without_simulation(
        larger.fabric, Objective::structured_suite, default_structured_weight / 1000.0);
    Baseline* better = &larger;
    double score = evaluate(larger.fabric, larger.tables).score * least_gain;
    for (Baseline& each : others) {
      const double of_each = evaluate(larger.fabric, each.tables).score;
      if (of_each <= score) continue;
      score = of_each;
      better = &each;
    }
    if (better == &larger) return;
    made = pssp::repaired(*better, question.fabric, &in_force, *options_.stable, stop);
    larger = std::move(*better);
  } catch (const Stopped&) {
    log_detail(
        "fabric growth: new hosts and switches are added to the baseline; there was too little "
        "time to compare alternatives");
  } catch (const Error& error) {
    log_detail(
        fmt::format("fabric growth: new hosts and switches are added to the baseline; "
                    "alternatives were not compared: {}",
                    error.what()));
  }
}

/// Logs what a new baseline would give and cost, and has its tables where they are wanted.
std::optional<CandidateTables> TableChooser::compare_with_new_baseline(const Question& question,
                                                                       const Baseline& larger,
                                                                       Routing from_scratch) {
  const NewBaseline offered = compare_baselines(larger.fabric, larger.tables, from_scratch.tables);
  const double gain = offered.gain();
  const std::string text = fmt::format("a new baseline would give {}", describe(offered));
  if (options_.rebaseline != Rebaseline::automatic || gain < options_.rebaseline_gain) {
    log_({LogTopic::fabric_growth, text});
    return std::nullopt;
  }
  log_detail(fmt::format("fabric growth: {}", text));
  try {
    std::optional<CandidateTables> made = baseline_repaired(
        question, {make_baseline(larger.fabric, std::move(from_scratch.tables)), std::nullopt});
    if (!made || made->plan.falls_short) return std::nullopt;
    made->reason = RoutingReason::rebaselined;
    log_detail(
        fmt::format("rebaseline: the new baseline scores {:.1f} % more and is used "
                    "(stable.rebaseline=auto)",
                    gain));
    return made;
  } catch (const Stopped&) {
    log_detail("rebaseline: too little time; raise budget.seconds");
    return std::nullopt;
  }
}

/// Where somebody has left tables, but no baseline.
void TableChooser::make_baseline_of_previous(const Question& question) {
  const ForwardingTables left =
      transfer_tables(last_->switches, last_->chosen.tables, question.fabric);
  StableRouting made =
      pssp::reroute_stably(question.fabric, left, *options_.stable, question.limits.stable);
  baseline_ = SavedBaseline{make_baseline(question.fabric, std::move(made.tables)), levels_};
}

std::optional<CandidateTables> TableChooser::saved_or_own_tables(const Question& question) {
  std::optional<CandidateTables> left = left_by_another(question);
  std::optional<CandidateTables> own;
  try {
    own = first_baseline(question, left ? &*left : nullptr);
  } catch (const Error& error) {
    if (!left) throw;
    log_detail(fmt::format("takeover: the engine does not route this fabric: {}", error.what()));
  }
  if (!left) return own;
  const std::string reason = own ? why_own(question.fabric, *left, *own) : "";
  log_detail(reason.empty()
                 ? "takeover: the tables of the earlier subnet manager stay"
                 : fmt::format("takeover: the engine's own tables replace those of the earlier "
                               "subnet manager: {}",
                               reason));
  // The same tables with the baseline that they came from are worth more.
  if (!reason.empty() || (own && own->tables == left->tables)) return own;
  // Where a cable was lost with the master they are not quite the same; nothing else moves now.
  if (own && own->baseline && are_nearly_same(left->tables, own->tables)) {
    left->baseline = std::move(own->baseline);
  }
  return left;
}

/// Repaired where that is due. None where little of it can stay, or that takes too long.
std::optional<CandidateTables> TableChooser::left_by_another(const Question& question) {
  const Fabric& fabric = question.fabric;
  if (routing_bytes(fabric) > question.limits.most_bytes) return std::nullopt;
  try {
    StableRouting made{transfer_tables(last_->switches, last_->chosen.tables, fabric), {}};
    if (verify(fabric, made.tables, {.credit_loops = false, .max_examples = 0}).usable()) {
      made.changes.kept = entry_count(made.tables);
    } else {
      made = pssp::reroute_stably(fabric, made.tables, *options_.stable, question.limits.stable);
    }
    if (2 * made.changes.kept < entry_count(made.tables)) {
      log_detail(fmt::format("takeover: {}: less than half; the engine routes from scratch",
                             describe(made.changes)));
      return std::nullopt;
    }
    std::optional<CandidateTables> candidate =
        examine_stable(question, std::move(made), "the engine routes from scratch");
    if (candidate) candidate->reason = RoutingReason::takeover;
    return candidate;
  } catch (const Stopped&) {
    log_detail(
        fmt::format("takeover: {}; the engine routes from scratch", cut_short(watch_.total())));
    return std::nullopt;
  }
}

std::optional<CandidateTables> TableChooser::examine_stable(const Question& question,
                                                            StableRouting made,
                                                            const std::string& what_next) {
  std::optional<CandidateTables> candidate =
      examine(question, std::move(made.tables), options_.deadlock, question.limits.stable);
  if (candidate) {
    candidate->reason = RoutingReason::repaired;
    candidate->changes = made.changes;
  } else {
    log_detail(fmt::format("repair: {}: not usable; {}", describe(made.changes), what_next));
  }
  return candidate;
}

/// The engine's tables, or what comes in their stead.
std::optional<CandidateTables> TableChooser::route_from_scratch(const Question& question) {
  // The quickest engine has none to go back to, and takes no longer than OpenSM's own would.
  const StopSignal stop = quick_ ? question.limits.engine : StopSignal();
  const bool lanes_matter =
      options_.deadlock.policy != DeadlockPolicy::ignore && question.supply.qos;
  const std::uint64_t bytes = routing_bytes(question.fabric);
  if (quick_ && bytes > question.limits.most_bytes) {
    return route_quickly(question, too_much_memory(bytes), "budget.megabytes");
  }
  try {
    if (lanes_matter) return route_for_lanes(question, stop);
    Routing routing = engine_->route(question.fabric, {.stop = stop});
    std::string selected = log_notes(routing.notes);
    std::optional<CandidateTables> candidate =
        examine(question, std::move(routing.tables), options_.deadlock, question.limits.engine);
    if (candidate) candidate->selected = std::move(selected);
    return candidate;
  } catch (const Stopped&) {
    return route_quickly(question, cut_short(watch_.total()), "budget.seconds");
  }
}

/// Logs what the engine reports of its work. The candidate that it has selected; empty where it has
/// only one.
std::string TableChooser::log_notes(const RoutingNotes& notes) const {
  log_lines(notes.warnings);
  if (!notes.tree.empty()) log_detail(fmt::format("the fabric is {}", notes.tree));
  if (notes.tried.empty()) return {};
  log_detail(fmt::format("selected {}", describe(notes.tried[notes.chosen])));
  for (const TriedConstruction& each : notes.tried) {
    log_detail(fmt::format("candidate {}", describe(each)));
  }
  return as_word(notes.tried[notes.chosen].name);
}

/// In the stead of the engine: by the next one of OpenSM's list, else by the quickest of ours.
std::optional<CandidateTables> TableChooser::route_quickly(const Question& question,
                                                           const std::string& why,
                                                           std::string_view limit) {
  if (question.limits.has_successor) throw Error(ErrorKind::unsuitable_topology, why);
  log_detail(fmt::format("{}; pssp, the fastest engine, routes instead", why));
  watch_.lap();
  std::optional<CandidateTables> candidate = examine(
      question, quick_->route(question.fabric).tables, options_.deadlock, question.limits.all);
  if (candidate) {
    candidate->reason = RoutingReason::substitute;
    candidate->limit = limit;
    candidate->is_substitute = candidate->by_quickest = true;
  }
  return candidate;
}

/// The first of the engine's tables whose lanes suffice; else the last ones. Where the engine is
/// stopped before it comes to an end, its first choice, if it may be used.
std::optional<CandidateTables> TableChooser::route_for_lanes(const Question& question,
                                                             const StopSignal& stop) {
  DeadlockOptions deadlock = options_.deadlock;
  deadlock.insist = false;
  std::optional<CandidateTables> first, last;
  std::string selected;
  bool is_accepted = false;
  bool worth_another_sweep = false;
  unsigned turned_down = 0;
  double spent_ms = 0;
  // One worker, which is the calling thread: what OpenSM calls starts none of ours.
  RouteRequest request{.stop = stop};
  request.accept = [&](const ForwardingTables& tables) {
    last = examine(question, tables, deadlock, question.limits.engine);
    is_accepted = last && may_be_used(last->plan);
    if (is_accepted) return true;
    if (++turned_down == 1) first = last;
    if (last) {
      worth_another_sweep = worth_another_sweep || last->plan.worth_another_sweep;
      spent_ms += last->route_ms + last->verify_ms + last->lanes_ms;
    }
    return false;
  };
  try {
    Routing routing = engine_->route(question.fabric, request);
    selected = log_notes(routing.notes);
    if (!is_accepted) {
      last =
          examine(question, std::move(routing.tables), options_.deadlock, question.limits.engine);
    }
  } catch (const Stopped&) {
    if (!first || !first->plan.refusal.empty()) throw;
    log_detail(
        fmt::format("{} in the search for tables with enough virtual lanes; the engine's "
                    "first tables are used",
                    cut_short(watch_.total())));
    last = std::move(first);
    last->limit = "budget.seconds";
  }
  if (last) last->selected = std::move(selected);
  if (last && turned_down != 0) {
    last->route_ms += spent_ms;
    last->plan.worth_another_sweep = last->plan.worth_another_sweep || worth_another_sweep;
    if (is_accepted) last->rejected_for_vls = turned_down;
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
                                                     const DeadlockOptions& deadlock,
                                                     const StopSignal& stop) {
  CandidateTables candidate;
  candidate.route_ms = watch_.lap();
  if (!verified(question.fabric, tables, candidate)) return std::nullopt;
  candidate.verify_ms = watch_.lap();
  candidate.plan = plan_lanes(question.fabric, tables, question.supply, deadlock, earlier_levels(),
                              &lane_memory_, {stop, question.limits.most_bytes});
  candidate.lanes_ms = watch_.lap();
  candidate.tables = std::move(tables);
  return candidate;
}

EarlierLevels TableChooser::earlier_levels() const {
  return {levels_ ? &*levels_ : nullptr,
          baseline_ && baseline_->levels ? &*baseline_->levels : nullptr};
}

/// Notes in the candidate what was found.
bool TableChooser::verified(const Fabric& fabric, const ForwardingTables& tables,
                            CandidateTables& candidate) const {
  // Under the other policies the lanes are looked at, which is more.
  const bool credit_loops =
      options_.credit_loop_check && options_.deadlock.policy == DeadlockPolicy::ignore;
  const VerifyReport report = verify(fabric, tables, {.credit_loops = credit_loops});
  if (!report.usable()) {
    log_({LogCode::failed_check,
          fmt::format(
              "the computed tables are not usable and are discarded: {} unreachable pairs of end "
              "ports ({} of them on different islands), {} unreachable switches, {} forwarding "
              "loops, {} entries to dead ports; report this line with the saved fabric",
              report.unreachable_pairs, report.separated_pairs, report.unreachable_switch_pairs,
              report.forwarding_loops, report.dead_port_entries)});
    log_lines(report.examples);
    return false;
  }
  candidate.unreachable_pairs = report.separated_pairs;
  if (!report.examples.empty()) candidate.unreachable_example = report.examples.front();
  if (credit_loops) candidate.has_credit_loop = report.has_credit_loop();
  if (report.has_credit_loop()) {
    log_detail(fmt::format("the routes can deadlock under congestion: credit loop of {} channels",
                           report.credit_loop.size()));
    log_text(describe_credit_loop(fabric, report));
  }
  return true;
}

/// OpenSM sets the operational lanes of ports after it has routed. A second sweep is asked for
/// where that makes the difference; once, because a port need not do what it is told.
bool TableChooser::wants_sweep(const LanePlan& plan) {
  const bool asked_before = std::exchange(asked_for_sweep_, plan.worth_another_sweep);
  if (!plan.worth_another_sweep || asked_before) return false;
  log_detail("virtual lanes: requested another heavy sweep, which has more of them");
  return true;
}

/// False when the tables must not be used. Logs who sets the service levels from now on.
bool TableChooser::accepted(const LanePlan& plan) const {
  if (!plan.refusal.empty()) return false;
  if (plan.levels && !levels_) {
    log_detail(
        "virtual lanes: the plugin sets the service levels of unicast paths; those of partitions, "
        "qos_policy_file and qos_*sl2vl have no effect");
  } else if (!plan.levels && levels_) {
    log_detail("virtual lanes: OpenSM sets the service levels of unicast paths again");
  }
  return true;
}

}  // namespace pssp
