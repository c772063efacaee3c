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

constexpr RunQuantity RunQuantity::bandwidth{
    "mean bandwidth of a run (1: no flow shares a link)", [](const RunResult& run) {
      return run.flows == 0 ? undefined : run.bandwidth_sum / static_cast<double>(run.flows);
    }};
constexpr RunQuantity RunQuantity::slowest_bandwidth{
    "bandwidth of the slowest flow, mean over the rounds",
    [](const RunResult& run) { return mean_over_levels(run.slowest_bandwidth_sum, run); }};
constexpr RunQuantity RunQuantity::max_congestion_sum{
    "largest congestion, summed over the levels",
    [](const RunResult& run) { return run.max_congestion_sum; }};
constexpr RunQuantity RunQuantity::delay{"delay (longest chain of dependent flows)",
                                         [](const RunResult& run) { return run.delay; }};
constexpr RunQuantity RunQuantity::optimistic_congestion{
    "mean congestion of a round",
    [](const RunResult& run) { return mean_over_levels(run.mean_congestion_sum, run); }};
constexpr RunQuantity RunQuantity::pessimistic_congestion{
    "largest congestion of a round",
    [](const RunResult& run) { return mean_over_levels(run.max_congestion_sum, run); }};
constexpr RunQuantity RunQuantity::optimistic_bandwidth{
    "bandwidth, rounds not synchronised",
    [](const RunResult& run) { return inverse(optimistic_congestion.of(run)); }};
constexpr RunQuantity RunQuantity::pessimistic_bandwidth{
    "bandwidth, rounds synchronised",
    [](const RunResult& run) { return inverse(pessimistic_congestion.of(run)); }};

std::vector<double> values_of(const RunQuantity& quantity, std::span<const RunResult> runs) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const RunResult& run : runs) {
    const double value = quantity.of(run);
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

}  // namespace pssp
