#pragma once

// The numbers of each run of a pattern, for the statistics of per-run metrics, plots and CSV files.

#include <span>
#include <string_view>
#include <vector>

#include "evaluator/flows/pattern_simulation.h"

namespace pssp {

/// A number of a run. Flows without a route have bandwidth 0, and are excluded from congestion and
/// delay.
struct RunQuantity {
  std::string_view axis;  ///< "mean bandwidth of a run", for the axis of a plot
  /// NaN if the run has no such number: a run without flows has a delay and a sum (both 0), but no
  /// bandwidth and no bounds.
  double (*of)(const RunResult& run);

  /// Mean over the flows of all levels of 1 / congestion (hist_acc_band).
  static const RunQuantity bandwidth;
  /// Bandwidth of the slowest flow of a level, mean over the levels; 0 if one has no route.
  static const RunQuantity slowest_bandwidth;
  /// Largest congestion of each level, summed over the levels (sum_max_cong).
  static const RunQuantity max_congestion_sum;
  /// Longest chain of dependent flows (dep_max_delay).
  static const RunQuantity delay;
  /// Mean over the levels of the mean congestion: pi_sum_avg of the Cluster 2008 paper.
  static const RunQuantity optimistic_congestion;
  /// Mean over the levels of the largest congestion: pi_sum_max.
  static const RunQuantity pessimistic_congestion;
  /// 1 / congestion of the bound; 0 in a run in which no flow has a route.
  static const RunQuantity optimistic_bandwidth, pessimistic_bandwidth;
};

/// Over all runs that have it, in order.
std::vector<double> values_of(const RunQuantity& quantity, std::span<const RunResult> runs);

}  // namespace pssp
