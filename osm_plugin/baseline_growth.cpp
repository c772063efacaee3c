#include "osm_plugin/baseline_growth.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/repair/new_baseline.h"

namespace pssp {

std::optional<CandidateTables> route_from_baseline(const RoutingTask& task, SavedBaseline baseline,
                                                   const StableOptions& options,
                                                   TableExaminer& examiner) {
  StableRouting made =
      repaired(baseline.baseline, task.fabric, nullptr, options, task.limits.engine);
  std::optional<CandidateTables> candidate =
      examiner.examine(task, std::move(made.tables), task.limits.engine);
  if (!candidate) return std::nullopt;
  candidate->reason = RoutingReason::inferred;
  candidate->is_new_baseline = true;
  candidate->baseline = std::move(baseline);
  return candidate;
}

/// Whether the fabric has other switches or cables than the baseline, or a tenth more hosts than
/// when the baseline was evaluated.
bool BaselineGrowth::is_outgrown(const Baseline& larger) const {
  const Fabric& before = memory_.baseline->baseline.fabric;
  const Fabric& now = larger.fabric;
  return now.switch_count() != before.switch_count() ||
         now.channel_count() != before.channel_count() ||
         10 * now.endpoints().size() > 11 * memory_.hosts_when_evaluated;
}

std::optional<Routing> BaselineGrowth::route_larger(const RoutingTask& task,
                                                    const Baseline& larger) {
  if (options_.rebaseline == Rebaseline::never || !is_outgrown(larger)) return std::nullopt;
  if (task.limits.defer_engine) {
    task.engine_deferred = true;
    return std::nullopt;
  }
  memory_.hosts_when_evaluated = larger.fabric.endpoints().size();
  try {
    return scratch_.compute(larger.fabric, task.limits.engine);
  } catch (const Stopped&) {
    log_.detail(
        "fabric growth: the gain of a new baseline is not known, because the engine had too little "
        "time; raise budget.seconds");
  } catch (const Error& error) {
    log_.detail(
        fmt::format("fabric growth: the engine computes no new baseline: {}", error.what()));
  }
  return std::nullopt;
}

void BaselineGrowth::use_better_growth(const RoutingTask& task,
                                       const ForwardingTables& from_scratch,
                                       const ForwardingTables& in_force, Baseline& larger,
                                       StableRouting& made) const {
  const StopSignal& stop = task.limits.stable;
  try {
    constexpr double least_gain = 1.01;  // the score is not more accurate
    std::vector<Baseline> others = other_growths(from_scratch, memory_.baseline->baseline, larger,
                                                 task.fabric, *options_.stable, stop);
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
    made = repaired(*better, task.fabric, &in_force, *options_.stable, stop);
    larger = std::move(*better);
  } catch (const Stopped&) {
    log_.detail(
        "fabric growth: new hosts and switches are added to the baseline; there was too little "
        "time to compare alternatives");
  } catch (const Error& error) {
    log_.detail(
        fmt::format("fabric growth: new hosts and switches are added to the baseline; "
                    "alternatives were not compared: {}",
                    error.what()));
  }
}

std::optional<CandidateTables> BaselineGrowth::compare_with_new_baseline(
    const RoutingTask& task, const Baseline& larger, Routing from_scratch) const {
  const NewBaseline offered = compare_baselines(larger.fabric, larger.tables, from_scratch.tables);
  const double gain = offered.gain();
  const std::string text = fmt::format("a new baseline would give {}", describe(offered));
  if (options_.rebaseline != Rebaseline::automatic || gain < options_.rebaseline_gain) {
    log_.message({LogTopic::fabric_growth, text});
    return std::nullopt;
  }
  log_.detail(fmt::format("fabric growth: {}", text));
  try {
    std::optional<CandidateTables> made = route_from_baseline(
        task, {make_baseline(larger.fabric, std::move(from_scratch.tables)), std::nullopt},
        *options_.stable, examiner_);
    if (!made || made->plan.falls_short) return std::nullopt;
    made->reason = RoutingReason::rebaselined;
    log_.detail(
        fmt::format("rebaseline: the new baseline scores {:.1f} % more and is used "
                    "(stable.rebaseline=auto)",
                    gain));
    return made;
  } catch (const Stopped&) {
    log_.detail("rebaseline: too little time; raise budget.seconds");
    return std::nullopt;
  }
}

}  // namespace pssp
