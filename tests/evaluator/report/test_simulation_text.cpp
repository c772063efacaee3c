#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "evaluator/report/simulation_text.h"
#include "tests/evaluator/sample_simulation.h"

namespace {

using namespace pssp;
using namespace pssp::test;

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the simulation report describes the pattern, hosts, runs and options") {
  const std::string text = to_text_report(report_of({}));
  for (const char* part : {"tree: 2 levels, 4 flows per run", "5 on 8 hosts", "4, seed 42"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
  CHECK_FALSE(contains(text, "ROUTE"));
  SimulationReport alone = report_of({});
  alone.options.level = 1;
  alone.options.host_links = HostLinks::left_out;
  alone.result.runs[0].unrouted = 3;
  const std::string other = to_text_report(alone);
  CHECK(contains(other, "only level 1 of 2"));
  CHECK(contains(other, "left out"));
  CHECK(contains(other, "WITHOUT A ROUTE"));
  CHECK(contains(other, "3 flows"));
}

TEST_CASE("hist_max_cong has the format of listing 3 of the ORCS report") {
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

TEST_CASE("sum_max_cong reports mean, extremes, the variance of ORCS and every sum") {
  const std::string text = to_text_report(report_of({Metric::sum_max_cong}));
  for (const char* part : {"4.00000", "3.00000 .. 6.00000", "variance             1.500000",
                           "sum 3: 2 of the 4 runs (50.00%)", "sum 4: 1 of the 4 runs (25.00%)",
                           "sum 6: 1 of the 4 runs (25.00%)"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
}

TEST_CASE("percentiles are on one line, and each part of an application has its own line") {
  const std::string text = to_text_report(report_of({Metric::sum_max_cong}));
  const std::size_t at = text.find("percentiles ");
  REQUIRE(at != std::string::npos);
  const std::string line = text.substr(at, text.find('\n', at) - at);
  CHECK(contains(line, "percentiles          1 %: 3"));
  CHECK(std::count(line.begin(), line.end(), ',') + 1 == std::count(line.begin(), line.end(), '%'));
  const std::vector<CommunicationPart> parts{{.share = .25, .bandwidth = .5, .pattern = "tree"},
                                             {.share = .125, .bandwidth = 1, .pattern = ""}};
  const std::string application = to_text_report(parts);
  CHECK(contains(application, " 25.00 % of its time communicates at bandwidth 0.50000: tree\n"));
  CHECK(contains(application, " 12.50 % of its time communicates at bandwidth 1.00000\n"));
}

TEST_CASE("dep_max_delay names the ranks that it observes") {
  SimulationReport report = report_of({Metric::dep_max_delay});
  CHECK_FALSE(contains(to_text_report(report), "among the first"));
  report.observed = 3;
  const std::string text = to_text_report(report);
  CHECK(contains(text, "among the first 3 ranks"));
  CHECK(contains(text, "delay 3: 3 of the 4 runs (75.00%)"));
}

TEST_CASE("hist_acc_band has twenty bins unless a bin width is set") {
  SimulationReport report = report_of({Metric::hist_acc_band});
  const std::string text = to_text_report(report);
  CHECK(contains(text, "  0.70000000   0.75000000     4\n"));
  CHECK(contains(text, "  0.95000000   1.00000000     0\n"));
  report.bin_width = 0.001;
  const std::string fine = to_text_report(report);
  CHECK(std::count(fine.begin(), fine.end(), '\n') < 30);  // empty bins are omitted
}
