#include "evaluator/metrics/run_quantities.h"

#include <cmath>
#include <limits>

namespace pssp {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double mean_over_levels(double sum, const RunResult& run) {
  return run.levels == 0 ? undefined : sum / run.levels;
}

double inverse(double congestion) { return congestion == 0 ? 0 : 1 / congestion; }

}  // namespace

double value_of(RunQuantity quantity, const RunResult& run) {
  switch (quantity) {
    case RunQuantity::bandwidth:
      return run.flows == 0 ? undefined : run.bandwidth_sum / static_cast<double>(run.flows);
    case RunQuantity::max_congestion_sum:
      return run.max_congestion_sum;
    case RunQuantity::delay:
      return run.delay;
    case RunQuantity::optimistic_congestion:
      return mean_over_levels(run.mean_congestion_sum, run);
    case RunQuantity::pessimistic_congestion:
      return mean_over_levels(run.max_congestion_sum, run);
    case RunQuantity::optimistic_bandwidth:
      return inverse(value_of(RunQuantity::optimistic_congestion, run));
    case RunQuantity::pessimistic_bandwidth:
      return inverse(value_of(RunQuantity::pessimistic_congestion, run));
  }
  return undefined;
}

std::vector<double> values_of(RunQuantity quantity, std::span<const RunResult> runs) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const RunResult& run : runs) {
    const double value = value_of(quantity, run);
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

std::string_view axis_label(RunQuantity quantity) {
  switch (quantity) {
    case RunQuantity::bandwidth:
      return "mean bandwidth of a run (1: every flow has a link alone)";
    case RunQuantity::max_congestion_sum:
      return "largest congestion, summed over the levels";
    case RunQuantity::delay:
      return "delay (longest chain of dependent flows)";
    case RunQuantity::optimistic_congestion:
      return "mean congestion of a round";
    case RunQuantity::pessimistic_congestion:
      return "largest congestion of a round";
    case RunQuantity::optimistic_bandwidth:
      return "bandwidth, rounds not synchronised";
    case RunQuantity::pessimistic_bandwidth:
      return "bandwidth, rounds synchronised";
  }
  return "";
}

}  // namespace pssp
