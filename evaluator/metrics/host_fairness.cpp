#include "evaluator/metrics/host_fairness.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "evaluator/flows/congestion.h"
#include "evaluator/patterns/bisection.h"

// A separate pass over the first bisections: sums per host would slow down the millions of
// bisections of effective bisection bandwidth, and a few thousand suffice to distinguish hosts.

namespace pssp {
namespace {

constexpr double unit = 4294967296.0;  // 2^32
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// For one endpoint in one direction, in units of 2^-32: 10^6 bisections of bandwidth 32 fit.
struct Sum {
  std::uint64_t flows = 0, bandwidth = 0, square = 0;

  void add(double value) {
    ++flows;
    bandwidth += static_cast<std::uint64_t>(std::llround(value * unit));
    square += static_cast<std::uint64_t>(std::llround(value * value * unit));
  }
  Sum& operator+=(const Sum& other) {
    flows += other.flows;
    bandwidth += other.bandwidth;
    square += other.square;
    return *this;
  }
};

/// The workspace and results of a thread.
struct HostWorkspace {
  explicit HostWorkspace(const RouteStore& routes)
      : pattern(routes.endpoint_count()),
        counter(routes),
        sending(routes.endpoint_count()),
        receiving(routes.endpoint_count()) {}

  void score(std::uint64_t seed, std::uint64_t index) {
    const std::span<const Flow> flows = pattern.draw(seed, index);
    const std::span<const double> congestion = counter.largest_congestion(flows);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const double bandwidth = 1.0 / congestion[i];
      sending[flows[i].source].add(bandwidth);
      receiving[flows[i].destination].add(bandwidth);
    }
  }

  BisectionPattern pattern;
  CongestionCounter counter;
  std::vector<Sum> sending, receiving;
};

HostShare share_of(const Sum& sum) {
  if (sum.flows == 0) return {0, unknown, unknown};
  const auto n = static_cast<double>(sum.flows);
  const double mean = static_cast<double>(sum.bandwidth) / unit / n;
  if (sum.flows == 1) return {1, mean, unknown};
  // Rounding can make the difference of two equal numbers negative.
  const double squares = std::max(0.0, static_cast<double>(sum.square) / unit - n * mean * mean);
  return {static_cast<std::uint32_t>(sum.flows), mean, std::sqrt(squares / (n - 1) / n)};
}

std::vector<HostShare> shares_of(const std::vector<Sum>& sums) {
  std::vector<HostShare> shares;
  shares.reserve(sums.size());
  for (const Sum& sum : sums) shares.push_back(share_of(sum));
  return shares;
}

Fairness fairness_of(const std::vector<HostShare>& shares) {
  double n = 0;
  double sum = 0;
  double squares = 0;
  double noise = 0;  // sum of the squared standard errors
  Fairness result{unknown, unknown, unknown, unknown, unknown, unknown};
  for (const HostShare& share : shares) {
    if (share.flows == 0) continue;
    result.least = n == 0 ? share.mean : std::min(result.least, share.mean);
    result.most = n == 0 ? share.mean : std::max(result.most, share.mean);
    n += 1;
    sum += share.mean;
    squares += share.mean * share.mean;
    if (share.flows > 1) noise += share.standard_error * share.standard_error;
  }
  if (n == 0) return result;
  result.ratio = result.most == result.least ? 1.0 : result.most / result.least;
  if (sum == 0) return result;  // all bandwidths are 0: no measure is defined
  const double mean = sum / n;
  double deviations = 0;
  for (const HostShare& share : shares) {
    if (share.flows != 0) deviations += (share.mean - mean) * (share.mean - mean);
  }
  result.jain = sum * sum / (n * squares);
  result.variation = std::sqrt(deviations / n) / mean;
  result.variation_by_chance = std::sqrt(noise / n) / mean;
  return result;
}

}  // namespace

HostFairness host_fairness(const RouteStore& routes, const FairnessOptions& options,
                           const Progress& progress) {
  HostFairness result;
  result.seed = options.seed;
  std::vector<Sum> sending(routes.endpoint_count());
  std::vector<Sum> receiving(routes.endpoint_count());
  if (routes.endpoint_count() >= 2) {
    result.bisections = std::min(options.bisections, FairnessOptions::most_bisections);
    tbb::enumerable_thread_specific<HostWorkspace> workspaces(
        [&] { return HostWorkspace(routes); });
    ProgressCounter counter(progress, result.bisections);
    constexpr std::uint64_t flows_per_block = 200'000;  // about a millisecond
    const std::uint64_t block = 1 + flows_per_block / routes.endpoint_count();
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, result.bisections, block),
                      [&](const tbb::blocked_range<std::uint64_t>& indices) {
                        HostWorkspace& workspace = workspaces.local();
                        for (std::uint64_t i = indices.begin(); i != indices.end(); ++i) {
                          workspace.score(options.seed, i);
                        }
                        counter.add(indices.size());
                      });
    for (const HostWorkspace& workspace : workspaces) {
      for (std::size_t rank = 0; rank < sending.size(); ++rank) {
        sending[rank] += workspace.sending[rank];
        receiving[rank] += workspace.receiving[rank];
      }
    }
  }
  result.sending = shares_of(sending);
  result.receiving = shares_of(receiving);
  result.among_senders = fairness_of(result.sending);
  result.among_receivers = fairness_of(result.receiving);
  return result;
}

std::vector<std::uint32_t> worst_hosts(const HostFairness& fairness, std::size_t top) {
  const auto smaller_mean = [&](std::uint32_t rank) {
    // fmin ignores NaN, the mean of a role that the host never had.
    return std::fmin(fairness.sending[rank].mean, fairness.receiving[rank].mean);
  };
  std::vector<std::uint32_t> ranks(fairness.sending.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  std::erase_if(ranks, [&](std::uint32_t rank) { return std::isnan(smaller_mean(rank)); });
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return smaller_mean(a) < smaller_mean(b);
  });
  ranks.resize(std::min(top, ranks.size()));
  return ranks;
}

}  // namespace pssp
