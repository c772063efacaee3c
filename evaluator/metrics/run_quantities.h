#pragma once

// The numbers that each run of a pattern comes to, one by one: what per-run metrics are statistics
// of, plots show and CSV files list.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "evaluator/flows/pattern_simulation.h"

namespace pssp {

/// Flows without a route have bandwidth 0 and are in no congestion and no delay.
enum class RunQuantity : std::uint8_t {
  /// Mean over the flows of all levels of 1 / congestion (hist_acc_band).
  bandwidth,
  /// Largest congestion of each level, summed over the levels (sum_max_cong).
  max_congestion_sum,
  /// Longest chain of dependent flows (dep_max_delay).
  delay,
  /// Mean over the levels of the mean congestion: pi_sum_avg of the Cluster 2008 paper.
  optimistic_congestion,
  /// Mean over the levels of the largest congestion: pi_sum_max.
  pessimistic_congestion,
  /// 1 / congestion of the bound; 0 in a run none of whose flows has a route.
  optimistic_bandwidth,
  pessimistic_bandwidth,
};

/// NaN where the run has no such number: a run without flows has a delay and a sum (both 0), but no
/// bandwidth and no bounds.
double value_of(RunQuantity quantity, const RunResult& run);

/// Of all runs that have it, in order.
std::vector<double> values_of(RunQuantity quantity, std::span<const RunResult> runs);

/// "mean bandwidth of a run", for the axis of a plot.
std::string_view axis_label(RunQuantity quantity);

}  // namespace pssp
