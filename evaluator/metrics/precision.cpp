#include "evaluator/metrics/precision.h"

#include <algorithm>
#include <cmath>

#include "evaluator/metrics/statistics.h"

namespace pssp {
namespace {

/// Estimates the total number of runs from the current spread: at least a twentieth more than now,
/// so that slightly low estimates do not cause a hundred tiny batches; at most eight times as many,
/// because early estimates may be far off.
std::uint64_t estimated_runs(std::uint64_t done, double half_width, const PrecisionTarget& target) {
  constexpr double safety = 1.01;
  const double ratio = half_width / target.half_width;
  const double wanted = std::clamp(safety * ratio * ratio, 1.05, 8.0) * static_cast<double>(done);
  if (wanted >= static_cast<double>(target.most)) return target.most;
  return static_cast<std::uint64_t>(std::ceil(wanted));
}

}  // namespace

PrecisionResult run_until_precise(const PrecisionTarget& target, const RunSource& source,
                                  const Progress& progress) {
  PrecisionResult result;
  std::uint64_t wanted = std::min(target.least, target.most);
  for (;;) {
    const std::uint64_t done = result.values.size();
    // The number of runs is unknown before the first batch.
    const Progress batch_progress =
        progress && done != 0
            ? Progress([&](std::uint64_t now, std::uint64_t) { progress(done + now, wanted); })
            : Progress();
    const std::vector<double> batch = source(done, wanted - done, batch_progress);
    result.values.insert(result.values.end(), batch.begin(), batch.end());
    const SampleStatistics sample = describe_sample(result.values);
    result.half_width = sample.upper_95 - sample.mean;
    result.reached = result.half_width <= target.half_width;
    if (result.reached || batch.empty() || result.values.size() >= target.most) return result;
    wanted = estimated_runs(result.values.size(), result.half_width, target);
  }
}

}  // namespace pssp
