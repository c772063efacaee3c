#include "evaluator/metrics/effective_bisection_bandwidth.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <span>
#include <type_traits>

#include "evaluator/flows/congestion.h"
#include "evaluator/patterns/bisection.h"

// Bisections are independent: each has its own random numbers from the seed and its index. Threads
// process blocks of indices and write one number per bisection; the numbers are summed in order at
// the end. So the result does not depend on the threads.

namespace pssp {
namespace {

/// The workspace of a thread. `Score`: the bandwidth alone, or BisectionScore.
template <class Counter, class Score>
struct Workspace {
  template <class Routes>
  explicit Workspace(const Routes& routes) : pattern(routes.endpoint_count()), counter(routes) {}

  Score score(std::uint64_t seed, std::uint64_t index) {
    const std::span<const Flow> flows = pattern.draw(seed, index);
    const std::span<const double> congestions = congestions_of(flows, seed, index);
    double sum = 0;
    for (const double congestion : congestions) sum += 1.0 / congestion;
    const double mean = sum / static_cast<double>(flows.size());
    if constexpr (std::is_same_v<Score, double>) {
      return mean;
    } else {
      return {mean, 1.0 / *std::ranges::max_element(congestions)};
    }
  }

  std::span<const double> congestions_of(std::span<const Flow> flows, std::uint64_t seed,
                                         std::uint64_t index) {
    if constexpr (requires { counter.largest_congestion(flows, seed, index); }) {
      return counter.largest_congestion(flows, seed, index);
    } else {
      return counter.largest_congestion(flows);
    }
  }

  BisectionPattern pattern;
  Counter counter;
};

/// CongestionCounter for flows in parts.
class StripedCounter {
 public:
  explicit StripedCounter(const StripedRoutes& routes) : loads_(routes, HostLinks::counted) {}

  std::span<const double> largest_congestion(std::span<const Flow> flows) {
    congestion_.resize(flows.size());
    loads_.clear();
    loads_.collect(flows);
    loads_.add();
    loads_.congestion(congestion_);
    return congestion_;
  }

 private:
  StripedLoads loads_;
  std::vector<double> congestion_;
};

/// CongestionCounter for flows without tables: random choices depend on the bisection's number.
class AdaptiveCounter {
 public:
  explicit AdaptiveCounter(const AdaptiveRoutes& routes) : loads_(routes, HostLinks::counted) {}

  std::span<const double> largest_congestion(std::span<const Flow> flows, std::uint64_t seed,
                                             std::uint64_t index) {
    congestion_.resize(flows.size());
    loads_.begin_level(seed, index, 0);
    loads_.add(flows);
    loads_.congestion(flows, congestion_);
    return congestion_;
  }

 private:
  AdaptiveLoads loads_;
  std::vector<double> congestion_;
};

template <class Counter, class Score, class Routes>
std::vector<Score> score_bisections(const Routes& routes, const BisectionOptions& options,
                                    const Progress& progress) {
  if (routes.endpoint_count() < 2) return {};
  constexpr std::uint64_t flows_per_block = 200'000;  // about a millisecond
  const std::uint64_t block = 1 + flows_per_block / routes.endpoint_count();
  std::vector<Score> scores(options.patterns);
  tbb::enumerable_thread_specific<Workspace<Counter, Score>> workspaces(
      [&] { return Workspace<Counter, Score>(routes); });
  ProgressCounter counter(progress, options.patterns);
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, options.patterns, block),
                    [&](const tbb::blocked_range<std::uint64_t>& indices) {
                      Workspace<Counter, Score>& workspace = workspaces.local();
                      for (std::uint64_t i = indices.begin(); i != indices.end(); ++i) {
                        scores[i] = workspace.score(options.seed, options.first + i);
                      }
                      counter.add(indices.size());
                    });
  return scores;
}

}  // namespace

std::vector<double> bisection_bandwidths(const RouteStore& routes, const BisectionOptions& options,
                                         const Progress& progress) {
  return score_bisections<CongestionCounter, double>(routes, options, progress);
}

std::vector<double> bisection_bandwidths(const StripedRoutes& routes,
                                         const BisectionOptions& options,
                                         const Progress& progress) {
  return score_bisections<StripedCounter, double>(routes, options, progress);
}

std::vector<BisectionScore> bisection_scores(const RouteStore& routes,
                                             const BisectionOptions& options,
                                             const Progress& progress) {
  return score_bisections<CongestionCounter, BisectionScore>(routes, options, progress);
}

std::vector<BisectionScore> bisection_scores(const AdaptiveRoutes& routes,
                                             const BisectionOptions& options,
                                             const Progress& progress) {
  return score_bisections<AdaptiveCounter, BisectionScore>(routes, options, progress);
}

EffectiveBisectionBandwidth summarise(std::span<const double> bandwidths, std::uint64_t seed) {
  return {describe_sample(bandwidths), bandwidths.size(), seed};
}

EffectiveBisectionBandwidth effective_bisection_bandwidth(const RouteStore& routes,
                                                          const BisectionOptions& options,
                                                          const Progress& progress) {
  return summarise(bisection_bandwidths(routes, options, progress), options.seed);
}

}  // namespace pssp
