#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "evaluator/report/simulation_json.h"
#include "evaluator/report/simulation_text.h"

namespace {

using namespace pssp;
using nlohmann::json;

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

RunResult run_of(double max_sum, double delay, std::uint64_t unrouted = 0) {
  return {.flows = 4,
          .unrouted = unrouted,
          .levels = 2,
          .bandwidth_sum = 3,
          .max_congestion_sum = max_sum,
          .mean_congestion_sum = 2.5,
          .delay = delay};
}

SimulationReport report_of(std::vector<Metric> metrics) {
  SimulationReport report;
  report.pattern = "tree";
  report.levels = 2;
  report.ranks = 5;
  report.observed = 5;
  report.hosts = 8;
  report.hosts_of_ranks = "random, new in every run";
  report.options.seed = 42;
  report.metrics = std::move(metrics);
  report.crossbar = CrossbarCongestion{1, 1};
  report.result.runs = {run_of(3, 2), run_of(4, 3), run_of(3, 3), run_of(6, 3)};
  // Listing 3 of the ORCS report.
  report.result.histogram = {{1, 14}, {2, 44}, {3, 6}};
  return report;
}

}  // namespace

TEST_CASE("the text says what was simulated") {
  const std::string text = to_text_report(report_of({}));
  for (const char* part : {"tree: 2 levels, 4 flows a run", "5 on 8 hosts", "4, seed 42"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
  CHECK_FALSE(contains(text, "ROUTE"));
  SimulationReport alone = report_of({});
  alone.options.level = 1;
  alone.options.host_links = HostLinks::left_out;
  alone.result.runs[0].unrouted = 3;
  const std::string other = to_text_report(alone);
  CHECK(contains(other, "level 1 alone of 2"));
  CHECK(contains(other, "left out"));
  CHECK(contains(other, "WITHOUT A ROUTE"));
  CHECK(contains(other, "3 flows"));
}

TEST_CASE("hist_max_cong reads as listing 3 of the ORCS report") {
  const std::string text = to_text_report(report_of({Metric::hist_max_cong}));
  CHECK(contains(text, "weight 1: 14 of the 64 connections (21.88%)\n"));
  CHECK(contains(text, "weight 2: 44 of the 64 connections (68.75%)\n"));
  CHECK(contains(text, "weight 3: 6 of the 64 connections (9.38%)\n"));
  CHECK(contains(text, "BW: 0.593750\n"));
  SimulationReport lossy = report_of({Metric::hist_max_cong});
  lossy.result.histogram[std::numeric_limits<double>::infinity()] = 64;
  const std::string other = to_text_report(lossy);
  CHECK(contains(other, "no route: 64 of the 128 connections (50.00%)\n"));
  CHECK(contains(other, "BW: 0.296875\n"));
}

TEST_CASE("sum_max_cong has mean, extremes, ORCS's variance and every sum") {
  const std::string text = to_text_report(report_of({Metric::sum_max_cong}));
  for (const char* part : {"4.00000", "3.00000 .. 6.00000", "variance             1.500000",
                           "sum 3: 2 of the 4 runs (50.00%)", "sum 4: 1 of the 4 runs (25.00%)",
                           "sum 6: 1 of the 4 runs (25.00%)"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
}

TEST_CASE("dep_max_delay tells whose delay it is") {
  SimulationReport report = report_of({Metric::dep_max_delay});
  CHECK_FALSE(contains(to_text_report(report), "among the first"));
  report.observed = 3;
  const std::string text = to_text_report(report);
  CHECK(contains(text, "among the first 3 ranks"));
  CHECK(contains(text, "delay 3: 3 of the 4 runs (75.00%)"));
}

TEST_CASE("hist_acc_band has twenty bins, or those asked for") {
  SimulationReport report = report_of({Metric::hist_acc_band});
  const std::string text = to_text_report(report);
  CHECK(contains(text, "  0.70000000   0.75000000     4\n"));
  CHECK(contains(text, "  0.95000000   1.00000000     0\n"));
  report.bin_width = 0.001;
  const std::string fine = to_text_report(report);
  CHECK(std::count(fine.begin(), fine.end(), '\n') < 30);  // without the empty ones
}

TEST_CASE("bounds, absolute and as a part of a crossbar") {
  SimulationReport report = report_of({Metric::bounds});
  CHECK_FALSE(contains(to_text_report(report), "crossbar"));  // it changes nothing there
  report.crossbar = CrossbarCongestion{6, 6};
  const json bounds = json::parse(to_json_report(report, {})).at("bounds");
  CHECK(bounds["optimistic"]["congestion"]["mean"] == 1.25);
  CHECK(bounds["optimistic"]["bandwidth"]["mean"] == 0.8);
  CHECK(bounds["optimistic"]["bandwidth_of_crossbar"].get<double>() == Approx(4.8));
  CHECK(bounds["pessimistic"]["congestion"]["mean"] == 2);
  CHECK(bounds["pessimistic"]["bandwidth"]["mean"].get<double>() ==
        Approx((1 / 1.5 + 1 / 2.0 + 1 / 1.5 + 1 / 3.0) / 4));
  CHECK(contains(to_text_report(report), "4.80000 of that on a crossbar"));
}

TEST_CASE("the JSON has one member a metric") {
  const json report = json::parse(
      to_json_report(report_of({Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                                Metric::dep_max_delay, Metric::get_cable_cong}),
                     {"a warning"}));
  CHECK(report["pattern"] == "tree");
  CHECK(report["ranks"] == 5);
  CHECK(report["level"].is_null());
  CHECK(report["flows"] == 16);
  CHECK(report["warnings"] == json{"a warning"});
  CHECK(report["sum_max_cong"]["mean"] == 4);
  CHECK(report["sum_max_cong"]["variance"] == 1.5);
  CHECK(report["sum_max_cong"]["percentiles"]["50"] == 3.5);
  CHECK(report["sum_max_cong"]["histogram"][0] == json({{"from", 3}, {"to", 3}, {"runs", 2}}));
  CHECK(report["hist_max_cong"]["bandwidth"] == 0.59375);
  CHECK(report["hist_max_cong"]["connections"] == 64);
  CHECK(report["hist_acc_band"]["mean"] == 0.75);
  CHECK(report["hist_acc_band"]["histogram"].size() == 20);
  CHECK(report["dep_max_delay"]["max"] == 3);
  CHECK_FALSE(report.contains("get_cable_cong"));
  CHECK_FALSE(report.contains("bounds"));
}

TEST_CASE("a pattern in which nobody sends has no bandwidth, and no report fails") {
  SimulationReport report =
      report_of({Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                 Metric::dep_max_delay, Metric::bounds});
  report.result = {};
  report.result.runs.resize(3);
  report.crossbar = CrossbarCongestion{};
  CHECK(contains(to_text_report(report), "nobody sends"));
  const json parsed = json::parse(to_json_report(report, {}));
  CHECK(parsed["hist_acc_band"]["mean"].is_null());
  CHECK(parsed["hist_max_cong"]["bandwidth"].is_null());
  CHECK(parsed["sum_max_cong"]["mean"] == 0);
}

TEST_CASE("an application's time, as text and JSON") {
  const auto parts = parse_application("27.4%:0.374,4.6%:0.574");
  const std::string text = to_text_report(parts);
  CHECK(contains(text, "80.89 % of its time"));
  const json report = json::parse(to_json_report(parts, {}));
  CHECK(report["time_at_full_bandwidth"].get<double>() == Approx(0.80888));
  CHECK(report["communication"][1]["bandwidth"] == 0.574);
  CHECK(report["communication"][1]["pattern"].is_null());
}
