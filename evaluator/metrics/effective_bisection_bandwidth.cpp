#include "evaluator/metrics/effective_bisection_bandwidth.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "evaluator/patterns/bisection.h"
#include "evaluator/simulation/congestion.h"

// Bisections are independent of each other: each has its own random numbers, made from the seed and
// its index. Threads take blocks of indices and write one number for each bisection; the numbers
// are summed in order at the end. So neither the number of threads nor the order of their work can
// change a digit.

namespace pssp {
namespace {

/// What a thread needs to score bisections.
struct Workspace {
  explicit Workspace(const RouteStore& routes)
      : pattern(routes.endpoint_count()), counter(routes) {}

  double score(std::uint64_t seed, std::uint64_t index) {
    const std::span<const Flow> flows = pattern.draw(seed, index);
    double sum = 0;
    for (const double congestion : counter.largest_congestion(flows)) sum += 1.0 / congestion;
    return sum / static_cast<double>(flows.size());
  }

  BisectionPattern pattern;
  CongestionCounter counter;
};

/// Counts what is done and passes it on, one thread at a time.
class ProgressCounter {
 public:
  ProgressCounter(const Progress& progress, std::uint64_t all) : progress_(progress), all_(all) {}

  void add(std::uint64_t bisections) {
    if (!progress_) return;
    const std::scoped_lock lock(mutex_);
    done_ += bisections;
    progress_(done_, all_);
  }

 private:
  const Progress& progress_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t all_;
};

EffectiveBisectionBandwidth summarise(const std::vector<double>& bandwidths, std::uint64_t seed) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  constexpr double normal_quantile_97_5 = 1.959963984540054;
  const auto n = static_cast<double>(bandwidths.size());
  EffectiveBisectionBandwidth result{.patterns = bandwidths.size(),
                                     .seed = seed,
                                     .mean = unknown,
                                     .standard_error = unknown,
                                     .lower_95 = unknown,
                                     .upper_95 = unknown,
                                     .min = unknown,
                                     .max = unknown};
  if (bandwidths.empty()) return result;
  double sum = 0;
  for (const double bandwidth : bandwidths) sum += bandwidth;
  result.mean = sum / n;
  const auto [least, most] = std::minmax_element(bandwidths.begin(), bandwidths.end());
  result.min = *least;
  result.max = *most;
  if (bandwidths.size() < 2) return result;
  double squares = 0;
  for (const double bandwidth : bandwidths) {
    squares += (bandwidth - result.mean) * (bandwidth - result.mean);
  }
  result.standard_error = std::sqrt(squares / (n - 1) / n);
  result.lower_95 = result.mean - normal_quantile_97_5 * result.standard_error;
  result.upper_95 = result.mean + normal_quantile_97_5 * result.standard_error;
  return result;
}

}  // namespace

std::vector<double> bisection_bandwidths(const RouteStore& routes, const BisectionOptions& options,
                                         const Progress& progress) {
  if (routes.endpoint_count() < 2) return {};
  constexpr std::uint64_t flows_per_block = 200'000;  // about a millisecond
  const std::uint64_t block = 1 + flows_per_block / routes.endpoint_count();
  std::vector<double> bandwidths(options.patterns);
  tbb::enumerable_thread_specific<Workspace> workspaces([&] { return Workspace(routes); });
  ProgressCounter counter(progress, options.patterns);
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, options.patterns, block),
                    [&](const tbb::blocked_range<std::uint64_t>& indices) {
                      Workspace& workspace = workspaces.local();
                      for (std::uint64_t i = indices.begin(); i != indices.end(); ++i) {
                        bandwidths[i] = workspace.score(options.seed, i);
                      }
                      counter.add(indices.size());
                    });
  return bandwidths;
}

EffectiveBisectionBandwidth effective_bisection_bandwidth(const RouteStore& routes,
                                                          const BisectionOptions& options,
                                                          const Progress& progress) {
  return summarise(bisection_bandwidths(routes, options, progress), options.seed);
}

}  // namespace pssp
