// All cells are simulated with the same seeds, and scored relative to the run without congestion
// control with the same seed: randomly heavy traffic is then heavy for all of them (common random
// numbers; Law, "Simulation Modeling and Analysis", section 11.2).
//
// Half of the runs are for successive halving (Jamieson, Talwalkar, "Non-stochastic best arm
// identification", 2016): many cells with one seed, a third of them with two, a ninth with four.
// Then steps from the best cell along each axis, on two seeds, shorter if none is better. The rest,
// at least three tenths, is for the duel of the best three and the base. The best of many noisy
// cells looks better than it is, so the reported gain uses only the duel's seeds, which had no part
// in the selection.
//
// The number of runs, not a clock, limits the search, so that it is the same on every machine. It
// ends earlier only if the caller reports that the time is over.

#include "simulator/tuning/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "simulator/tuning/choice.h"

namespace pssp {
namespace {

constexpr std::size_t seeds_of_halving = 4;
constexpr std::size_t seeds_of_steps = 2;
constexpr std::size_t fewest_cells = 4;
constexpr std::size_t duellists = 3;
constexpr std::size_t fewest_duel_seeds = 3;
constexpr std::size_t seeds_of_duel_block = 2;
constexpr double part_of_halving = 0.5, part_of_duel = 0.3;
constexpr std::uint64_t first_duel_seed = 1'000'000;

/// The best three, base, off.
constexpr std::size_t cells_of_duel = duellists + 2;

class Search {
 public:
  Search(const TuningPlan& plan, const ParameterSpace& space, Trials& trials)
      : plan_(plan), space_(space), trials_(trials) {
    result_.search_seeds = search_seeds(plan.seed);
  }

  TuningResult run() {
    stage("without congestion control");
    simulate_run({off_cell()}, result_.search_seeds);
    require_no_standstill();
    halve();
    refine();
    duel();
    result_.runs = trials_.count();
    choose(plan_, result_);
    return std::move(result_);
  }

 private:
  void stage(std::string_view name) const {
    if (plan_.stage) plan_.stage(name);
  }
  bool is_late() {
    if (plan_.is_late && plan_.is_late()) result_.cut_by_time = true;
    return result_.cut_by_time;
  }
  std::size_t runs_left() const {
    return plan_.runs > trials_.count() ? plan_.runs - trials_.count() : 0;
  }
  std::size_t runs_of_duel() const {
    const auto wanted = static_cast<std::size_t>(part_of_duel * static_cast<double>(plan_.runs));
    return std::max(wanted, cells_of_duel * fewest_duel_seeds * trials_.traffics());
  }

  void simulate_run(const std::vector<TuningCell>& cells, const std::vector<std::uint64_t>& seeds) {
    for (const TuningCell& cell : cells) {
      if (names_.insert(cell.name).second) result_.cells.push_back(cell);
    }
    trials_.simulate_run(cells, seeds);
  }

  void require_no_standstill() const {
    for (const std::uint64_t seed : result_.search_seeds) {
      for (std::size_t t = 0; t < trials_.traffics(); ++t) {
        if (!trials_.figures("off", t, seed).ended_early) continue;
        throw Error(
            ErrorKind::verification_failed,
            fmt::format("without congestion control the fabric stops in a deadlock or reaches a "
                        "limit of memory or events (traffic {}, seed {}); pssp simulate shows "
                        "where; expected tables or lanes without a credit loop",
                        t + 1, seed));
      }
    }
  }

  std::vector<std::uint64_t> seeds(std::size_t count) const {
    return {result_.search_seeds.begin(),
            result_.search_seeds.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  double score(const TuningCell& cell, const std::vector<std::uint64_t>& of) const {
    double sum = 0;
    for (const std::uint64_t seed : of) sum += score_with(plan_, trials_.table(), cell.name, seed);
    return sum / static_cast<double>(of.size());
  }

  /// Sorts the cells by their score for these seeds, highest first; stable.
  void rank(std::vector<TuningCell>& cells, const std::vector<std::uint64_t>& of) const {
    std::ranges::stable_sort(cells, std::ranges::greater{},
                             [&](const TuningCell& cell) { return score(cell, of); });
  }

  std::vector<TuningCell> first_cells(std::size_t count) const {
    std::vector<TuningCell> cells{base_cell()};
    std::set<std::string> names;
    const auto add = [&](const TuningPoint& point) {
      TuningCell cell = cell_at(space_, point);
      if (cells.size() < count && names.insert(cell.name).second) cells.push_back(std::move(cell));
    };
    for (const TuningPoint& point : plan_.start) add(point);
    const std::size_t drawn = count > cells.size() ? count - cells.size() : 0;
    for (const TuningPoint& point : space_.latin_hypercube(drawn, plan_.seed)) add(point);
    return cells;
  }

  void halve() {
    stage("halving");
    constexpr double runs_of_cell = 1 + 1.0 / 3 + 2.0 / 9;
    const double runs = part_of_halving * static_cast<double>(plan_.runs) /
                            static_cast<double>(trials_.traffics()) -
                        seeds_of_halving;
    const auto count = static_cast<std::size_t>(std::max(0.0, runs / runs_of_cell));
    ranked_ = first_cells(std::max(fewest_cells, count));
    simulate_run(ranked_, seeds(1));
    rank(ranked_, seeds(1));
    std::vector<TuningCell> kept = ranked_;
    for (const std::size_t tried_with : {seeds_of_steps, seeds_of_halving}) {
      if (is_late()) return;
      constexpr std::size_t part = 3;
      kept.resize(std::min(kept.size(), std::max<std::size_t>(2, (kept.size() + 1) / part)));
      simulate_run(kept, seeds(tried_with));
      rank(kept, seeds(tried_with));
      std::ranges::copy(kept, ranked_.begin());
      if (tried_with == seeds_of_steps) candidates_ = kept;
    }
  }

  /// Moves from the best cell to better neighbors while there are enough runs for all neighbors.
  void refine() {
    stage("refinement");
    constexpr double first_step = 0.12;
    constexpr double last_step = 0.02;
    if (candidates_.empty()) candidates_ = ranked_;
    const std::vector<std::uint64_t> of = seeds(seeds_of_steps);
    TuningCell best = ranked_.front();
    if (best.point.empty()) best = first_with_point(ranked_);
    double step = first_step;
    while (step > last_step && !best.point.empty() && !is_late()) {
      std::vector<TuningCell> around;
      for (TuningPoint& point : space_.neighbours(best.point, step)) {
        TuningCell cell = cell_at(space_, std::move(point));
        if (!trials_.has(cell.name, of.back())) around.push_back(std::move(cell));
      }
      if (runs_left() < runs_of_duel() + around.size() * of.size() * trials_.traffics()) break;
      simulate_run(around, of);
      rank(around, of);
      candidates_.insert(candidates_.end(), around.begin(), around.end());
      if (!around.empty() && score(around.front(), of) > score(best, of)) {
        best = around.front();
      } else {
        step /= 2;
      }
    }
  }

  /// The best cell with a point in the parameter space. Unless time ended it, halving has simulated
  /// it with two seeds: it keeps at least two cells, and at most one is the base.
  static TuningCell first_with_point(const std::vector<TuningCell>& cells) {
    const auto found =
        std::ranges::find_if(cells, [](const TuningCell& cell) { return !cell.point.empty(); });
    return found == cells.end() ? TuningCell{} : *found;
  }

  /// Of the candidates with at least two seeds: the best three distinct ones other than the base,
  /// then the base.
  std::vector<TuningCell> duelling() const {
    std::vector<TuningCell> cells = candidates_;
    const auto has_two = [&](const TuningCell& cell) {
      return trials_.has(cell.name, result_.search_seeds[1]);
    };
    const auto of = seeds(std::ranges::all_of(cells, has_two) ? seeds_of_steps : 1);
    rank(cells, of);
    // Cells that differ only in a parameter without effect have exactly equal scores: one is
    // enough.
    std::vector<TuningCell> best;
    std::set<double> scores;
    for (TuningCell& cell : cells) {
      if (best.size() == duellists || cell.name == "base") continue;
      if (scores.insert(score(cell, of)).second) best.push_back(cell);
    }
    best.push_back(base_cell());
    return best;
  }

  void duel() {
    stage("final comparison");
    const std::vector<TuningCell> cells = duelling();
    std::vector<TuningCell> all = cells;
    all.push_back(off_cell());
    std::size_t count = fewest_duel_seeds;
    while (true) {
      std::vector<std::uint64_t> fresh;
      for (std::size_t i = 0; i < count; ++i) {
        fresh.push_back(plan_.seed + first_duel_seed + result_.duel_seeds.size() + i);
      }
      simulate_run(all, fresh);
      result_.duel_seeds.insert(result_.duel_seeds.end(), fresh.begin(), fresh.end());
      set_shortlist(plan_, trials_.table(), cells, result_);
      if (result_.decided) return;
      count = std::min(seeds_of_duel_block, runs_left() / (all.size() * trials_.traffics()));
      if (count == 0 || is_late()) return;
    }
  }

  const TuningPlan& plan_;
  const ParameterSpace& space_;
  Trials& trials_;
  TuningResult result_;
  std::set<std::string> names_;
  std::vector<TuningCell> ranked_, candidates_;
};

}  // namespace

std::size_t least_runs(std::size_t traffics) {
  // Halving with the fewest cells takes 4 + 2 + 4 runs.
  constexpr std::size_t of_halving = 10;
  return traffics * (seeds_of_halving + of_halving + cells_of_duel * fewest_duel_seeds);
}

std::vector<std::uint64_t> search_seeds(std::uint64_t seed) {
  std::vector<std::uint64_t> seeds(seeds_of_halving);
  for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = seed + i;
  return seeds;
}

TuningResult search_parameters(const TuningPlan& plan, const ParameterSpace& space,
                               Trials& trials) {
  if (plan.runs < least_runs(trials.traffics())) {
    throw Error(
        ErrorKind::usage,
        fmt::format("a budget of {} runs is too small; expected at least {} for {} traffics",
                    plan.runs, least_runs(trials.traffics()), trials.traffics()));
  }
  return Search(plan, space, trials).run();
}

}  // namespace pssp
