#pragma once

// Fairness among hosts: the mean bandwidth of each host over random bisections.

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "evaluator/flows/route_store.h"

namespace pssp {

/// One endpoint in one direction, in units of the reference link rate.
struct HostShare {
  std::uint32_t flows = 0;    ///< number of bisections in which it had this role
  double mean = 0;            ///< mean bandwidth; NaN without flows
  double standard_error = 0;  ///< of the mean; NaN for fewer than two flows
};

/// How evenly bandwidth is shared among the endpoints with flows in a direction. NaN without flows.
struct Fairness {
  double least = 0;
  double most = 0;
  double ratio = 0;  ///< most / least; infinite if an endpoint has bandwidth 0
  /// (sum of the means)^2 / (n * sum of their squares): 1 is even, 1/n means that one host has
  /// everything (Jain, Chiu, Hawe, "A quantitative measure of fairness and discrimination", DEC
  /// TR-301, 1984).
  double jain = 0;
  double variation = 0;  ///< standard deviation of the means / their mean
  /// Expected `variation` if all hosts were equal: sampling noise.
  double variation_by_chance = 0;
};

struct HostFairness {
  std::uint64_t bisections = 0;
  std::uint64_t seed = 0;
  std::vector<HostShare> sending, receiving;  ///< by rank: position in Fabric::endpoints()
  Fairness among_senders, among_receivers;
};

struct FairnessOptions {
  /// With 2000 bisections, the mean of a host has a standard error of about 0.01.
  static constexpr std::uint64_t default_bisections = 2000;
  static constexpr std::uint64_t most_bisections = 1'000'000;

  std::uint64_t bisections = default_bisections;  ///< at most most_bisections
  std::uint64_t seed = 1;
};

/// Over bisections 0 .. bisections - 1 of the seed, the first ones of
/// effective_bisection_bandwidth(). Empty (0 bisections) for fewer than two endpoints. Uses all
/// threads of oneTBB; sums are integers (units of 2^-32), so the result does not depend on their
/// number. A flow without a route has bandwidth 0.
HostFairness host_fairness(const RouteStore& routes, const FairnessOptions& options,
                           const Progress& progress = {});

/// The `top` endpoints with the smallest minimum of both means, worst first; ties by rank.
std::vector<std::uint32_t> worst_hosts(const HostFairness& fairness, std::size_t top);

}  // namespace pssp
