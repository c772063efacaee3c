// Tests the search with an artificial noisy response: its result, its number of runs, and that it
// does not depend on the number of threads or on interruptions.

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "simulator/tuning/choice.h"
#include "simulator/tuning/search.h"

using namespace pssp;

namespace {

ParameterSpace timer_and_rate() {
  ParameterSpace space;
  space.axes = {parse_tuning_axis("CCTI_Timer=10us..2ms"), parse_tuning_axis("Marking_Rate=0..50")};
  return space;
}

/// Throughput is 1 without congestion control and 1 + `base` for the base set. Other sets add up to
/// `height`, with the maximum at timer / (rate + 1) = 75 us. Seeds vary all cells together within
/// 10 % and each cell separately within 1 %.
struct MadeUpResponse {
  double height = 0.5;
  double base = 0.1;

  TrialFigures operator()(const TuningCell& cell, std::size_t traffic, std::uint64_t seed,
                          const StopSignal& /*stop*/) const {
    RandomGenerator of_seed = random_stream(1, traffic, seed);
    std::uint64_t name = 0;
    for (const char c : cell.name) name = mix64(name + static_cast<std::uint8_t>(c));
    RandomGenerator of_cell = random_stream(seed, name, traffic);
    double level = 1;
    if (cell.name == "base") level += base;
    if (!cell.changes.empty()) {
      const ParameterSpace space = timer_and_rate();
      const double timer = space.axes[0].number_of(cell.changes[0].second);
      const double rate = space.axes[1].number_of(cell.changes[1].second);
      const double away = std::log(timer / (rate + 1) / 75e3);
      level += height * std::exp(-away * away);
    }
    TrialFigures figures;
    figures.throughput = level * (0.95 + 0.1 * unit_interval(of_seed())) *
                         (0.995 + 0.01 * unit_interval(of_cell())) * 1e9;
    figures.instability = cell.changes.empty() ? 0.1 : 0.2;
    return figures;
  }
};

TuningPlan plan_of(std::size_t runs) {
  TuningPlan plan;
  plan.weights = {1};
  plan.runs = runs;
  return plan;
}

TuningResult search(const TuningPlan& plan, const TrialPlayer& player, unsigned workers = 1,
                    TrialTable known = {}, std::function<void(const TrialTable&)> keep = {}) {
  Trials trials(std::move(known), player, plan.weights.size(),
                {workers, {}, std::move(keep), {}, {}});
  return search_parameters(plan, timer_and_rate(), trials);
}

}  // namespace

TEST_CASE("the tuning search finds the ridge of a noisy response within its budget") {
  const TuningResult result = search(plan_of(120), MadeUpResponse{});
  REQUIRE(result.chosen);
  CHECK(result.shortlist[*result.chosen].gain.lower_95 > 0.45);
  CHECK(result.runs <= 120);
  CHECK(result.runs > 60);
  CHECK(result.duel_seeds.front() == 1'000'001);
  CHECK(result.shortlist.front().from_best.mean == 0);
  for (const Shortlisted& each : result.shortlist) {
    CHECK(each.score.values == result.duel_seeds.size());
    if (each.cell.name == "base") CHECK_FALSE(each.equal);
  }
}

TEST_CASE(
    "if the base is the best first cell, the local search starts at the best parameter point") {
  const TuningResult result = search(plan_of(120), MadeUpResponse{0.5, 0.6});
  // The base is not a point of the parameter space. A search that started there would end after 75
  // runs because it has no neighbors to try.
  CHECK(result.runs > 80);
  REQUIRE(result.shortlist.size() > 1);
  CHECK(result.shortlist[0].cell.name == "base");
  CHECK(result.shortlist[1].gain.mean > 0.5);
}

TEST_CASE("small tuning budgets are refused or respected") {
  CHECK_THROWS_AS(search(plan_of(least_runs(1) - 1), MadeUpResponse{}), Error);
  const TuningResult result = search(plan_of(least_runs(1)), MadeUpResponse{});
  CHECK(result.runs <= least_runs(1));
  CHECK_FALSE(result.shortlist.empty());
}

TEST_CASE("tuning chooses off and reports it if no set is certainly better") {
  const TuningResult result = search(plan_of(60), MadeUpResponse{0, 0});
  CHECK_FALSE(result.chosen);
  CHECK(result.reason.starts_with("off: no set is significantly better than off"));
}

TEST_CASE("tuning chooses the most stable of equal sets, which may be the base") {
  const TuningResult result = search(plan_of(200), MadeUpResponse{0.3, 0.298});
  REQUIRE(result.chosen);
  CHECK(result.shortlist[*result.chosen].cell.name == "base");
  CHECK(result.reason.find("statistically equal") != std::string::npos);
}

TEST_CASE("the guard refuses sets that harm one of several traffics") {
  TuningPlan plan = plan_of(120);
  plan.weights = {3, 1};
  const auto harmful = [](const TuningCell& cell, std::size_t traffic, std::uint64_t seed,
                          const StopSignal& stop) {
    TrialFigures figures = MadeUpResponse{}(cell, traffic, seed, stop);
    if (traffic == 1 && !cell.is_off()) figures.throughput = 0.9e9;
    return figures;
  };
  CHECK(search(plan, harmful).chosen);
  plan.guard = true;
  const TuningResult result = search(plan, harmful);
  CHECK_FALSE(result.chosen);
  CHECK(result.reason.starts_with("off: the guard rejects every set"));
  CHECK(result.reason.find("traffic 2") != std::string::npos);
}

TEST_CASE("the tuning result does not depend on threads or interruptions") {
  const MadeUpResponse response;
  const TuningResult one = search(plan_of(90), response);
  const TuningResult eight = search(plan_of(90), response, 8);
  CHECK(one.reason == eight.reason);
  CHECK(one.shortlist.front().cell.name == eight.shortlist.front().cell.name);
  CHECK(one.shortlist.front().gain.mean == eight.shortlist.front().gain.mean);

  TrialTable kept;
  std::atomic<int> simulated{0};
  const auto breaks_off = [&](const TuningCell& cell, std::size_t traffic, std::uint64_t seed,
                              const StopSignal& stop) {
    if (++simulated > 40) throw Stopped("enough");
    return response(cell, traffic, seed, stop);
  };
  CHECK_THROWS_AS(
      search(plan_of(90), breaks_off, 2, {}, [&](const TrialTable& table) { kept = table; }),
      Stopped);
  CHECK(kept.size() == 40);
  const std::string text = trials_text(kept, 90, "this search");
  simulated = 0;
  const auto counts = [&](const TuningCell& cell, std::size_t traffic, std::uint64_t seed,
                          const StopSignal& stop) {
    ++simulated;
    return response(cell, traffic, seed, stop);
  };
  const TuningResult resumed =
      search(plan_of(90), counts, 2, parse_trials(text, "kept.csv", "this search").table);
  CHECK(resumed.reason == one.reason);
  CHECK(resumed.runs == one.runs);
  CHECK(static_cast<std::size_t>(simulated) == one.runs - 40);
}

TEST_CASE("a tuning search that is late ends soon and reports it") {
  TuningPlan plan = plan_of(200);
  plan.is_late = [] { return true; };
  const TuningResult result = search(plan, MadeUpResponse{});
  CHECK(result.cut_by_time);
  CHECK(result.duel_seeds.size() == 3);
  CHECK(result.runs < 120);
}

TEST_CASE("a standstill is an error without congestion control and a score of 0 with it") {
  const auto stuck = [](const TuningCell& cell, std::size_t traffic, std::uint64_t seed,
                        const StopSignal& stop) {
    TrialFigures figures = MadeUpResponse{}(cell, traffic, seed, stop);
    figures.ended_early = cell.is_off();
    return figures;
  };
  CHECK_THROWS_WITH(search(plan_of(60), stuck), Catch::Contains("stops in a deadlock"));
  // A standstill of one of several traffics is an error as well.
  TuningPlan plan = plan_of(120);
  plan.weights = {3, 1};
  const auto second_stuck = [&](const TuningCell& cell, std::size_t traffic, std::uint64_t seed,
                                const StopSignal& stop) {
    TrialFigures figures = stuck(cell, traffic, seed, stop);
    figures.ended_early = figures.ended_early && traffic == 1;
    return figures;
  };
  CHECK_THROWS_WITH(search(plan, second_stuck), Catch::Contains("(traffic 2, seed 1)"));
  TrialFigures ended;
  ended.throughput = 5;
  ended.ended_early = true;
  CHECK(score_of({}, ended, TrialFigures{}) == 0);
}

TEST_CASE("saved trials are read back, and other files are refused with the line number") {
  TrialTable table;
  TrialFigures figures;
  figures.throughput = 1.0 / 3;
  figures.victims_share = -1;
  table[{"CCTI_Timer=1us Marking_Rate=0", 1, 18446744073709551615U}] = figures;
  const std::string text = trials_text(table, 77, "a");
  const KeptTrials kept = parse_trials(text, "f", "a");
  CHECK(kept.table == table);
  CHECK(kept.runs == 77);
  CHECK_THROWS_WITH(parse_trials(text, "f", "b"), Catch::Contains("another search"));
  CHECK_THROWS_WITH(parse_trials("x\n", "f", "a"), Catch::Contains("f:1"));
  CHECK_THROWS_WITH(parse_trials("# trials of a\n", "f", "a"), Catch::Contains("f:2"));
  CHECK_THROWS_WITH(parse_trials(text + "1,2\n", "f", "a"), Catch::Contains("f:5: 2 fields"));
  CHECK_THROWS_WITH(parse_trials(text + "off,0,1,x,1,1,1,1,1,1,0\n", "f", "a"),
                    Catch::Contains("'x' is not a number"));
}

TEST_CASE("tuning runs use the requested seed and the following seeds") {
  CHECK(search_seeds(7) == std::vector<std::uint64_t>{7, 8, 9, 10});
}

TEST_CASE("tuning objectives compare figures with those without congestion control") {
  TrialFigures off;
  off.throughput = 2;
  off.p99_ns = 100;
  off.completion_ns = 30;
  TrialFigures on = off;
  on.throughput = 3;
  on.p99_ns = 50;
  on.completion_ns = 20;
  on.worst_part = 0.25;
  CHECK(score_of(parse_objective("throughput"), on, off) == Approx(1.5));
  CHECK(score_of(parse_objective("p99"), on, off) == Approx(2));
  CHECK(score_of(parse_objective("completion"), on, off) == Approx(1.5));
  CHECK(score_of(parse_objective("worst-flow"), on, off) == Approx(0.25));
  CHECK(score_of(parse_objective("blend:.8"), on, off) == Approx(0.8 * 1.5 + 0.2 * 0.25));
  on.completion_ns = 0;
  CHECK(score_of(parse_objective("completion"), on, off) == 0);
  CHECK_THROWS_AS(parse_objective("speed"), Error);
  CHECK_THROWS_AS(parse_objective("blend:2"), Error);
}
