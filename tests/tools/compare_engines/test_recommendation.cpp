// The results are hand-made; the expected recommendation follows docs/reference/compare-engines.md.

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "routing/structured_suite/structured_suite.h"
#include "tools/compare_engines/recommendation.h"
#include "tools/compare_engines/reports.h"

using namespace pssp;
using Catch::Contains;

namespace {

EngineResult routed(const std::string& name, double bandwidth, bool is_opensms,
                    std::optional<bool> credit_loop, std::optional<unsigned> lanes) {
  EngineResult result;
  result.engine = result.name = name;
  result.is_opensms = is_opensms;
  result.state = "routed";
  TableScore score;
  score.bandwidth = bandwidth;
  score.standard_error = 0.01;
  score.interval = Interval{bandwidth - 0.02, bandwidth + 0.02};
  score.index = 30;
  score.index_bound = 24;
  score.hops_mean = 2;
  score.hops_max = 4;
  score.usable = true;
  score.credit_loop = credit_loop;
  score.lanes = lanes;
  score.routing_ms = 1.5;
  score.peak_memory_kib = 5000;
  result.score = score;
  return result;
}

EngineResult worse(EngineResult result, double p) {
  result.difference = TableDifference{-0.1, p, R"({"mean":-0.1})"};
  return result;
}

EngineResult refused(const std::string& name) {
  EngineResult result;
  result.engine = result.name = name;
  result.is_opensms = true;
  result.state = "refused";
  result.reasons = {"no tree"};
  return result;
}

}  // namespace

TEST_CASE(
    "tables with credit loops are safe only if the engine uses lanes and has enough of them") {
  CHECK(is_safe(routed("minhop", 0.5, true, false, 1), 8));
  CHECK_FALSE(is_safe(routed("minhop", 0.5, true, true, 2), 8));
  CHECK(is_safe(routed("pssp", 0.5, false, true, 2), 8));
  CHECK_FALSE(is_safe(routed("pssp", 0.5, false, true, 9), 8));
  CHECK(is_safe(routed("torus-2QoS", 0.5, true, true, std::nullopt), 8));
  CHECK_FALSE(is_safe(routed("sssp", 0.5, true, true, std::nullopt), 8));
}

TEST_CASE("candidates begin with the deadlock-free tables of the highest bandwidth") {
  const std::vector<EngineResult> results{routed("minhop", 0.9, true, true, 2), refused("ftree"),
                                          routed("lash", 0.5, true, true, 3),
                                          routed("pssp", 0.7, false, true, 2)};
  CHECK(candidates(results, 8) == std::vector<std::size_t>{3, 0, 2});
}

TEST_CASE("among equally good tables, those with the fewest lanes are recommended") {
  const std::vector<EngineResult> results{worse(routed("minhop", 0.6, true, true, 2), 0.001),
                                          routed("pssp", 0.75, false, true, 2),
                                          worse(routed("updn", 0.74, true, false, 1), 0.4)};
  const Recommendation found = recommend(results, 8);
  CHECK(found.engine == "updn");
  CHECK(found.as_good == std::vector<std::string>{"pssp"});
  CHECK(found.text ==
        "Use updn: effective bisection bandwidth 0.7400 (95 % interval 0.7200 to 0.7600), "
        "deadlock-free on one lane; 1.3 % less than pssp (no significant difference), the best "
        "engine of the plugin; 23.3 % more than minhop, opensm's default. As good, by bandwidth: "
        "pssp.");
}

TEST_CASE("the recommendation names better tables that can deadlock") {
  const std::vector<EngineResult> results{routed("pssp", 0.7, false, true, 2),
                                          worse(routed("best", 0.8, false, true, 9), 0.001)};
  CHECK_THAT(
      recommend(results, 8).text,
      Contains(
          "best (0.8000) would have more bandwidth, but its routes can deadlock within 8 lanes."));
}

namespace {

EngineResult structured(EngineResult result, double slowdown, std::vector<PatternFigure> patterns) {
  StructuredFigures figures;
  figures.slowdown = slowdown;
  figures.score = suite_score(*result.score->bandwidth, slowdown);
  figures.patterns = std::move(patterns);
  result.score->structured = std::move(figures);
  return result;
}

EngineResult differing(EngineResult result, double mean, double p) {
  result.difference = TableDifference{mean, p, R"({"mean":0})"};
  return result;
}

}  // namespace

TEST_CASE("the highest score is the reference, and more bandwidth with a higher S does not tie") {
  const std::vector<EngineResult> results{
      differing(structured(routed("best", 0.40, false, false, 1), 6.7, {{"shifts", 26.8}}), 0.02,
                1e-6),
      structured(routed("pssp", 0.38, false, false, 1), 1.08, {{"shifts", 3.67}}),
      differing(structured(routed("ftree", 0.38, true, false, 1), 1.08, {{"shifts", 3.67}}), 0, 1)};
  CHECK(candidates(results, 8).front() == 2);  // the last of two equal candidates
  const Recommendation found = recommend(results, 8);
  CHECK(found.engine == "pssp");
  CHECK(found.as_good == std::vector<std::string>{"ftree"});
  CHECK_THAT(found.text, Contains("structured traffic S 1.08") && !Contains("slow at"));
}

TEST_CASE("the recommendation names patterns for which the recommended tables are slow") {
  const auto best = [](double jobs, double leaf_pairs) {
    return structured(routed("best", 0.71, false, false, 1), 2.16,
                      {{"shifts", 2.0}, {"leaf_pairs", leaf_pairs}, {"node_jobs_64", jobs}});
  };
  const auto others = [](EngineResult first) {
    return std::vector<EngineResult>{
        std::move(first),
        differing(structured(routed("minhop", 0.57, true, false, 1), 2.4,
                             {{"shifts", 2.5}, {"leaf_pairs", 2.0}, {"node_jobs_64", 2.5}}),
                  -0.1, 1e-6),
        differing(structured(routed("heal", 0.60, false, false, 1), 2.4,
                             {{"shifts", 2.5}, {"leaf_pairs", 1.0}, {"node_jobs_64", 2.5}}),
                  -0.1, 1e-6)};
  };
  CHECK_THAT(recommend(others(best(4.2, 2.4)), 8).text,
             Contains("; but slow at leaf_pairs (2.40 times as long as with heal: 2.40 against "
                      "1.00) and node_jobs_64 (1.68 times as long as with minhop: 4.20 against "
                      "2.50)."));
  CHECK_THAT(recommend(others(best(3.1, 1.9)), 8).text, !Contains("slow at"));
  CHECK_THAT(recommend(others(best(3.13, 1.9)), 8).text,
             Contains("slow at node_jobs_64 (1.25 times as long as with minhop"));
}

TEST_CASE("no engine is recommended if none is safe") {
  CHECK(recommend(std::vector{refused("ftree")}, 8).text ==
        "No engine computed tables for this fabric.");
  const Recommendation none = recommend(std::vector{routed("minhop", 0.5, true, true, 2)}, 8);
  CHECK(none.engine.empty());
  CHECK(none.text == "No engine computed usable tables that are deadlock-free within 8 lanes.");
}

TEST_CASE("text, CSV and JSON contain the same results") {
  EngineComparison comparison;
  comparison.topology = "f.net";
  comparison.directory = "/out";
  comparison.results = {refused("ftree"), routed("minhop", 0.5, true, std::nullopt, std::nullopt)};
  comparison.recommendation = recommend(comparison.results, 8);
  const std::string text = comparison_text(comparison);
  CHECK_THAT(text, Contains("minhop     0.5000  0.4800-0.5200  -       -           -        -      "
                            "  -           -            -     30     24     2        4      -  "
                            "          ?         1.5    5\n"
                            "ftree   refused\n"));
  CHECK_THAT(text, Contains("ftree: refused: no tree\n"));
  CHECK_THAT(comparison_csv(comparison),
             Contains("ftree,opensm,refused,,,,,,,,,,,,,,0,,,no tree,,,,,,,,,,,,,\n"
                      "minhop,opensm,routed,0.5,0.01,0.48,0.52,30,24,2,4,,,true,1.5,"
                      "5000,0,,,,,,,,,,,,,,,,\n"));
  // Messages of opensm must not become formulas of a spreadsheet.
  comparison.results.front().reasons = {"=1+2, \"so\""};
  CHECK_THAT(comparison_csv(comparison), Contains(",\"'=1+2, \"\"so\"\"\","));
  const std::string json = comparison_json(comparison);
  CHECK_THAT(json, Contains("\"engine\": null"));
  CHECK_THAT(json, Contains("\"max\": 30,"));
}

TEST_CASE("a failed comparison is reported above the recommendation") {
  EngineComparison comparison;
  comparison.warning = "The differences in bandwidth were not tested for significance: killed";
  CHECK_THAT(comparison_text(comparison), Contains("not tested for significance: killed\n"));
  CHECK_THAT(comparison_json(comparison), Contains("\"warnings\""));
}

TEST_CASE("the recommendation states the bandwidth of striped flows and the best engine for them",
          "[recommendation]") {
  const auto striped = [](EngineResult result, double bandwidth, double slowdown) {
    result.score->striped =
        StripedFigures{2, bandwidth, 0.001, slowdown, suite_score(bandwidth, slowdown)};
    return result;
  };
  const EngineResult a = striped(routed("pssp", 0.7, false, false, 1), 0.8, 1.2);
  const EngineResult b = worse(striped(routed("sssp", 0.6, true, false, 1), 0.9, 1.1), 0.001);
  CHECK_THAT(recommend(std::vector{a}, 8).text,
             Contains("Flows striped over 2 LIDs per host get 0.8000 (S 1.20)."));
  CHECK_THAT(recommend(std::vector{a, b}, 8).text,
             Contains("get 0.8000 (S 1.20); with sssp they get the most: 0.9000 (S 1.10)."));
  CHECK_THAT(recommend(std::vector{routed("pssp", 0.7, false, false, 1)}, 8).text,
             !Contains("striped"));
}
