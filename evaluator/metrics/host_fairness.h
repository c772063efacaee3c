#pragma once

// Who gets less than the others: the mean bandwidth of each host over random bisections.

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "evaluator/flows/route_store.h"

namespace pssp {

/// Of one endpoint in one direction. In units of the reference link rate.
struct HostShare {
  std::uint32_t flows = 0;    ///< in how many bisections it had this part
  double mean = 0;            ///< bandwidth; NaN where there were no flows
  double standard_error = 0;  ///< of the mean; NaN for fewer than two flows
};

/// How evenly a direction is shared among the endpoints that had any flow. NaN where none had.
struct Fairness {
  double least = 0;
  double most = 0;
  double ratio = 0;  ///< most / least; infinite where an endpoint gets nothing
  /// (sum of the means)^2 / (n * sum of their squares): 1 is even, 1/n is one host for itself
  /// (Jain, Chiu, Hawe, "A quantitative measure of fairness and discrimination", DEC TR-301, 1984).
  double jain = 0;
  double variation = 0;  ///< standard deviation of the means / their mean
  /// What `variation` would come to by chance alone, were all hosts alike: sampling noise.
  double variation_by_chance = 0;
};

struct HostFairness {
  std::uint64_t bisections = 0;
  std::uint64_t seed = 0;
  std::vector<HostShare> sending, receiving;  ///< by rank: position in Fabric::endpoints()
  Fairness among_senders, among_receivers;
};

struct FairnessOptions {
  /// A mean over 2000 bisections has a standard error of about 0.01 a host.
  static constexpr std::uint64_t default_bisections = 2000;
  static constexpr std::uint64_t most_bisections = 1'000'000;

  std::uint64_t bisections = default_bisections;  ///< at most most_bisections
  std::uint64_t seed = 1;
};

/// Over bisections 0 .. bisections - 1 of the seed: the first of those that
/// effective_bisection_bandwidth() is the mean of. Nothing (0 bisections) for fewer than two
/// endpoints. Runs on all threads that oneTBB may use; sums are of integers (units of 2^-32), so
/// the result is the same at any number of them. A flow without a route has bandwidth 0.
HostFairness host_fairness(const RouteStore& routes, const FairnessOptions& options,
                           const Progress& progress = {});

/// The `top` endpoints whose smaller one of the two means is smallest, worst first, by rank where
/// they are equal.
std::vector<std::uint32_t> worst_hosts(const HostFairness& fairness, std::size_t top);

}  // namespace pssp
