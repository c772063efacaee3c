#pragma once

// Artificial simulation results for tests of reports.

#include <utility>
#include <vector>

#include "evaluator/scoring/simulation_report.h"

namespace pssp::test {

inline RunResult run_of(double max_sum, double delay, std::uint64_t unrouted = 0) {
  return {.flows = 4,
          .unrouted = unrouted,
          .levels = 2,
          .bandwidth_sum = 3,
          .max_congestion_sum = max_sum,
          .mean_congestion_sum = 2.5,
          .delay = delay};
}

/// Four runs of a pattern with two phases on five of eight hosts.
inline SimulationReport report_of(std::vector<Metric> metrics) {
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

}  // namespace pssp::test
