// Tests the JSON report of a simulation, and that it agrees with the text report.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "evaluator/report/simulation_text.h"
#include "tests/evaluator/sample_simulation.h"
#include "tools/eval_lft/json/report_json.h"

namespace {

using namespace pssp;
using namespace pssp::test;
using nlohmann::json;

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("bounds are reported as absolute figures and relative to a crossbar") {
  SimulationReport report = report_of({Metric::bounds});
  CHECK_FALSE(contains(to_text_report(report), "crossbar"));  // no congestion on the crossbar
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

TEST_CASE("the JSON report of a simulation has one member per metric") {
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

TEST_CASE("a pattern without senders has no bandwidth, and its reports do not fail") {
  SimulationReport report =
      report_of({Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                 Metric::dep_max_delay, Metric::bounds});
  report.result = {};
  report.result.runs.resize(3);
  report.crossbar = CrossbarCongestion{};
  CHECK(contains(to_text_report(report), "no host sends"));
  const json parsed = json::parse(to_json_report(report, {}));
  CHECK(parsed["hist_acc_band"]["mean"].is_null());
  CHECK(parsed["hist_max_cong"]["bandwidth"].is_null());
  CHECK(parsed["sum_max_cong"]["mean"] == 0);
}

TEST_CASE("the time of an application is reported in text and JSON") {
  const auto parts = parse_application("27.4%:0.374,4.6%:0.574");
  const std::string text = to_text_report(parts);
  CHECK(contains(text, "80.89 % of its time"));
  const json report = json::parse(to_json_report(parts, {}));
  CHECK(report["time_at_full_bandwidth"].get<double>() == Approx(0.80888));
  CHECK(report["communication"][1]["bandwidth"] == 0.574);
  CHECK(report["communication"][1]["pattern"].is_null());
}
