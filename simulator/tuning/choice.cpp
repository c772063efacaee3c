// Sets are equal if the 95 % interval of their difference contains 0; of equal sets the most stable
// one is chosen, as the thesis prefers 250 us with Marking_Rate 1 to 750 us with 10, whose
// throughput is slightly higher but oscillates.

#include "simulator/tuning/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace pssp {
namespace {

/// Permitted loss on a single traffic with the guard.
constexpr double guard_loss = 0.01;

double weight_sum(const TuningPlan& plan) {
  return std::accumulate(plan.weights.begin(), plan.weights.end(), 0.0);
}

double traffic_score(const TuningPlan& plan, const TrialTable& trials, const std::string& cell,
                     std::size_t traffic, std::uint64_t seed) {
  return score_of(plan.objective, trials.at({cell, traffic, seed}),
                  trials.at({"off", traffic, seed}));
}

/// Mean of `figure` over the seeds.
template <class Figure>
MeanEstimate over_seeds(const std::vector<std::uint64_t>& seeds, const Figure& figure) {
  std::vector<double> values;
  values.reserve(seeds.size());
  for (const std::uint64_t seed : seeds) values.push_back(figure(seed));
  return mean_of(values);
}

double weighted(const TuningPlan& plan, const TrialTable& trials, const std::string& cell,
                std::uint64_t seed, double TrialFigures::*figure) {
  double sum = 0;
  for (std::size_t t = 0; t < plan.weights.size(); ++t) {
    sum += plan.weights[t] * (trials.at({cell, t, seed}).*figure);
  }
  return sum / weight_sum(plan);
}

Shortlisted shortlisted_of(const TuningPlan& plan, const TrialTable& trials, const TuningCell& cell,
                           const std::vector<std::uint64_t>& seeds) {
  Shortlisted each;
  each.cell = cell;
  const std::string& name = cell.name;
  const auto mean = [&](double TrialFigures::*figure) {
    return over_seeds(seeds, [&](auto seed) { return weighted(plan, trials, name, seed, figure); });
  };
  each.score = over_seeds(seeds, [&](auto seed) { return score_with(plan, trials, name, seed); });
  each.gain = over_seeds(seeds, [&](auto seed) {
    return score_with(plan, trials, name, seed) - score_with(plan, trials, "off", seed);
  });
  each.throughput = mean(&TrialFigures::throughput);
  each.instability = mean(&TrialFigures::instability).mean;
  each.worst_part = mean(&TrialFigures::worst_part).mean;
  each.p99_ns = mean(&TrialFigures::p99_ns).mean;
  each.hurt = mean(&TrialFigures::hurt).mean;
  // Excludes traffics without victims.
  std::vector<double> victims;
  for (std::size_t t = 0; t < plan.weights.size(); ++t) {
    for (const std::uint64_t seed : seeds) {
      const double share = trials.at({name, t, seed}).victims_share;
      if (share >= 0) victims.push_back(share);
    }
    each.gains.push_back(over_seeds(seeds, [&](auto seed) {
      return traffic_score(plan, trials, name, t, seed) -
             traffic_score(plan, trials, "off", t, seed);
    }));
  }
  if (!victims.empty()) each.victims_share = mean_of(victims).mean;
  return each;
}

/// Why the guard rejects a set; empty if it does not.
std::string refusal(const Shortlisted& shortlisted, const Shortlisted& off) {
  for (std::size_t t = 0; t < shortlisted.gains.size(); ++t) {
    // Scores of off are equal in all traffics, or small: losses are relative to the score.
    const double loss = -shortlisted.gains[t].mean / std::max(off.score.mean, guard_loss);
    if (loss > guard_loss) {
      return fmt::format("with traffic {} it is {:.1f} % worse than off", t + 1, 100 * loss);
    }
  }
  return "";
}

std::string described(const Shortlisted& shortlisted) {
  return fmt::format("{:+.1f} % ({:+.1f} .. {:+.1f})", 100 * shortlisted.gain.mean,
                     100 * shortlisted.gain.lower_95, 100 * shortlisted.gain.upper_95);
}

}  // namespace

double score_with(const TuningPlan& plan, const TrialTable& trials, const std::string& cell,
                  std::uint64_t seed) {
  double sum = 0;
  for (std::size_t t = 0; t < plan.weights.size(); ++t) {
    sum += plan.weights[t] * traffic_score(plan, trials, cell, t, seed);
  }
  return sum / weight_sum(plan);
}

double gain_of_table(const TuningPlan& plan, const TrialTable& table, const TuningResult& result,
                     const std::string& cell) {
  std::vector<double> gains;
  for (const auto* seeds : {&result.search_seeds, &result.duel_seeds}) {
    for (const std::uint64_t seed : *seeds) {
      if (!table.contains({cell, 0, seed}) || !table.contains({"off", 0, seed})) continue;
      gains.push_back(score_with(plan, table, cell, seed) - score_with(plan, table, "off", seed));
    }
  }
  return mean_of(gains).mean;
}

void set_shortlist(const TuningPlan& plan, const TrialTable& trials,
                   const std::vector<TuningCell>& cells, TuningResult& result) {
  const std::vector<std::uint64_t>& seeds = result.duel_seeds;
  result.off = shortlisted_of(plan, trials, off_cell(), seeds);
  result.shortlist.clear();
  for (const TuningCell& cell : cells) {
    result.shortlist.push_back(shortlisted_of(plan, trials, cell, seeds));
    if (plan.guard) result.shortlist.back().refused = refusal(result.shortlist.back(), result.off);
  }
  std::ranges::stable_sort(result.shortlist, std::ranges::greater{},
                           [](const Shortlisted& each) { return each.score.mean; });
  const std::string& best = result.shortlist.front().cell.name;
  result.decided = true;
  for (Shortlisted& each : result.shortlist) {
    each.from_best = over_seeds(seeds, [&](auto seed) {
      return score_with(plan, trials, each.cell.name, seed) - score_with(plan, trials, best, seed);
    });
    each.equal = each.from_best.upper_95 >= 0;
    const bool is_rival = each.cell.name != best;
    if (is_rival && each.equal) result.decided = false;
  }
}

void choose(const TuningPlan& plan, TuningResult& result) {
  result.chosen.reset();
  const Shortlisted* best = nullptr;
  for (const Shortlisted& each : result.shortlist) {
    if (each.refused.empty()) {
      best = &each;
      break;
    }
  }
  if (best == nullptr) {
    result.reason =
        fmt::format("off: the guard rejects every set; the best gains {}, but {}",
                    described(result.shortlist.front()), result.shortlist.front().refused);
    return;
  }
  if (best->gain.lower_95 <= 0) {
    result.reason = fmt::format(
        "off: no set is significantly better than off; the best gains {}, which may be chance",
        described(*best));
    return;
  }
  std::size_t equal = 0;
  for (std::size_t i = 0; i < result.shortlist.size(); ++i) {
    const Shortlisted& each = result.shortlist[i];
    const bool may_be_taken =
        each.refused.empty() && (&each == best || each.equal) && each.gain.lower_95 > 0;
    if (!may_be_taken) continue;
    ++equal;
    if (!result.chosen || each.instability < result.shortlist[*result.chosen].instability)
      result.chosen = i;
  }
  const Shortlisted& taken = result.shortlist[*result.chosen];
  result.reason =
      equal == 1
          ? fmt::format("the best{}; it gains {} over off",
                        plan.guard ? " that the guard accepts" : "", described(taken))
          : fmt::format(
                "the most stable of {} sets that are statistically equal; it gains {} over off",
                equal, described(taken));
}

}  // namespace pssp
