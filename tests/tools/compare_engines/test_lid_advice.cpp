// The results are hand-made; the expected advice follows docs/reference/compare-engines.md.

#include <catch2/catch.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "routing/structured_suite/structured_suite.h"
#include "tools/compare_engines/lid_advice.h"
#include "tools/compare_engines/reports.h"

using namespace pssp;
using Catch::Contains;
using Catch::StartsWith;

namespace {

EngineResult routed(const std::string& name, unsigned lmc, double bandwidth, double slowdown) {
  EngineResult result;
  result.engine = result.name = name;
  result.state = "routed";
  result.lmc = lmc;
  TableScore score;
  score.bandwidth = bandwidth;
  score.structured = StructuredFigures{slowdown, suite_score(bandwidth, slowdown), {}};
  score.lids = 100 + (std::uint64_t{1000} << lmc);
  score.usable = true;
  score.credit_loop = false;
  score.lanes = 1;
  score.routing_ms = 10 * (1 + lmc);
  result.score = score;
  return result;
}

EngineResult striped(EngineResult result, double bandwidth, double slowdown) {
  result.score->striped = StripedFigures{1U << result.lmc, bandwidth, 0.001, slowdown,
                                         suite_score(bandwidth, slowdown)};
  return result;
}

std::vector<EngineResult> three_lmcs() {
  return {routed("heal", 0, 0.7, 1.5), striped(routed("heal", 1, 0.69, 1.6), 0.84, 1.7),
          striped(routed("heal", 2, 0.7, 1.5), 0.63, 2)};
}

/// The first three words of each row of the table.
std::vector<std::string> starts_of_rows(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> starts;
  while (std::getline(lines, line) && !line.empty()) {
    std::istringstream words(line);
    std::string engine, lmc, third;
    words >> engine >> lmc >> third;
    starts.push_back(engine.append(" ").append(lmc).append(" ").append(third));
  }
  return starts;
}

}  // namespace

TEST_CASE("the advice states the gain and the price of more LIDs for the recommended engine") {
  CHECK(
      advise_on_lids(three_lmcs(), "heal", 8).text ==
      "With heal and lmc 0, applications that use all LIDs of a host (UCX with "
      "UCX_IB_LID_PATH_BITS, also under Open MPI and MPICH: docs/explanation/lmc.md) get "
      "0.7000, S 1.50; lmc 1 in opensm.conf "
      "would give 0.8400 (20.0 % more), S 1.70, other applications 0.6900, S 1.60, at the price of "
      "2100 LIDs instead of 1100 (47051 of 49151 left), 33 blocks of each table "
      "instead of 18, and 20 ms of routing instead of 10; lmc 2 in opensm.conf would give "
      "0.6300 (10.0 % less), S 2.00, other applications 0.7000, S 1.50, at the price of 4100 LIDs "
      "instead of 1100 (45051 of 49151 left), 65 blocks of each table instead of 18, and "
      "30 ms of routing instead of 10.");
}

TEST_CASE("the advice names an engine that gives striped flows more, unless it can deadlock") {
  std::vector<EngineResult> results = three_lmcs();
  results.push_back(striped(routed("dmodk", 1, 0.7, 1.5), 0.9, 1.4));
  results.push_back(striped(routed("sssp", 2, 0.7, 1.5), 0.95, 1.2));
  results.back().score->credit_loop = true;
  results.back().score->lanes = 2;
  results.back().is_opensms = true;
  const LidAdvice advice = advise_on_lids(results, "heal", 8);
  CHECK_THAT(
      advice.text,
      Contains("S 1.70 (the highest score with dmodk: 0.9000, S 1.40), other applications") &&
          !Contains("sssp"));
  REQUIRE(advice.offers.size() == 3);
  CHECK(advice.offers[1].best_striped == "dmodk");
  CHECK(advice.offers[2].best_striped.empty());
}

TEST_CASE("there is no advice if the engine has usable tables for only one LMC") {
  std::vector<EngineResult> results = three_lmcs();
  CHECK(advise_on_lids(std::span(results).first(1), "heal", 8).text.empty());
  CHECK(advise_on_lids(results, "", 8).text.empty());
  for (std::size_t i = 1; i < results.size(); ++i) results[i].score->usable = false;
  CHECK(advise_on_lids(results, "heal", 8).text.empty());
}

TEST_CASE("results of several LMCs are in one table, sorted by engine, and in CSV and JSON") {
  EngineComparison comparison;
  comparison.lmcs = {0, 1, 2};
  comparison.results = three_lmcs();
  // An engine that is better at LMC 0, refuses LMC 1, and is worse at LMC 2.
  for (const unsigned lmc : comparison.lmcs) {
    comparison.results.push_back(routed("best", lmc, lmc == 0 ? 0.8 : 0.1, 1.5));
  }
  comparison.results[4].score.reset();
  comparison.results[4].state = "refused";
  comparison.results[4].reasons = {"no tree"};
  comparison.recommendation = recommend(comparison.results, 8);
  comparison.lid_advice = advise_on_lids(comparison.results, "heal", 8);
  const std::string text = comparison_text(comparison);
  CHECK_THAT(text, StartsWith("engine  lmc  bandwidth ") && Contains("  all LIDs  S all "));
  CHECK(starts_of_rows(text) == std::vector<std::string>{"best 0 0.8000", "best 1 refused",
                                                         "best 2 0.1000", "heal 0 0.7000",
                                                         "heal 1 0.6900", "heal 2 0.7000"});
  CHECK_THAT(text, Contains("best, lmc 1: refused: no tree\n") &&
                       Contains("lmc 1 in opensm.conf would give"));
  CHECK_THAT(comparison_csv(comparison), Contains(",lmc\n") && Contains(",1\n"));
  CHECK_THAT(comparison_json(comparison),
             Contains("\"lmcs\"") && Contains("\"lids_left\": 47051") && Contains("\"lmc\": 2"));
}
