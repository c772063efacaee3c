#pragma once

// Effective bisection bandwidth: what a random permutation between two random halves of the cluster
// gets of its links.

#include <cstdint>
#include <functional>
#include <vector>

#include "evaluator/simulation/route_store.h"

namespace pssp {

struct BisectionOptions {
  std::uint64_t patterns = 5000;
  std::uint64_t seed = 1;
};

/// In units of the reference link rate (Fabric::reference_capacity()).
struct EffectiveBisectionBandwidth {
  std::uint64_t patterns =
      0;  ///< bisections that were scored; 0 in a fabric of fewer than two endpoints
  std::uint64_t seed = 0;
  double mean = 0;  ///< over the bisections; NaN when there is none
  double standard_error =
      0;                ///< of the mean, from the spread between bisections; NaN for fewer than two
  double lower_95 = 0;  ///< mean -/+ 1.96 standard errors
  double upper_95 = 0;
  double min = 0;  ///< worst and best single bisection
  double max = 0;
};

/// Called now and then, from any thread but never from two at once, with the bisections done so far
/// and all of them.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Mean over random bisections of the mean over their flows of 1 / (largest congestion on the
/// path), as the Cluster 2008 paper "Multistage switches are not crossbars" defines it in section
/// 3; full duplex, relative to the capacity of the links. A flow without a route has bandwidth 0
/// and disturbs no other. Runs on all threads that oneTBB may use; the result is the same at any
/// number of them.
EffectiveBisectionBandwidth effective_bisection_bandwidth(const RouteStore& routes,
                                                          const BisectionOptions& options,
                                                          const Progress& progress = {});

/// Bandwidth of each bisection, in order: what the function above is the summary of.
std::vector<double> bisection_bandwidths(const RouteStore& routes, const BisectionOptions& options,
                                         const Progress& progress = {});

}  // namespace pssp
