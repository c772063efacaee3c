#pragma once

// Effective bisection bandwidth: the mean bandwidth of a random permutation between two random
// halves of the hosts.

#include <cstdint>
#include <span>
#include <vector>

#include "base/progress.h"
#include "evaluator/flows/adaptive_routes.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/flows/striped_routes.h"
#include "evaluator/metrics/statistics.h"

namespace pssp {

struct BisectionOptions {
  std::uint64_t patterns = 5000;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  ///< number of the first bisection, for sharing among processes
};

/// The bandwidths of single bisections as a sample, in units of the reference link rate
/// (Fabric::reference_capacity()).
struct EffectiveBisectionBandwidth : SampleStatistics {
  std::uint64_t patterns =
      0;  ///< bisections that were scored; 0 in a fabric of fewer than two endpoints
  std::uint64_t seed = 0;
};

/// Mean over random bisections of the mean over their flows of 1 / (largest congestion on the
/// path), as defined in section 3 of the Cluster 2008 paper "Multistage switches are not
/// crossbars"; full duplex, relative to the capacity of the links. A flow without a route has
/// bandwidth 0 and loads no channel. Uses all threads of oneTBB; the result does not depend on
/// their number.
EffectiveBisectionBandwidth effective_bisection_bandwidth(const RouteStore& routes,
                                                          const BisectionOptions& options,
                                                          const Progress& progress = {});

/// Bandwidth of each bisection, in order; the function above returns their summary.
std::vector<double> bisection_bandwidths(const RouteStore& routes, const BisectionOptions& options,
                                         const Progress& progress = {});

/// The same for flows that are striped over several LIDs of their destinations.
std::vector<double> bisection_bandwidths(const StripedRoutes& routes,
                                         const BisectionOptions& options,
                                         const Progress& progress = {});

/// The result of a bisection.
struct BisectionScore {
  double bandwidth = 0;  ///< mean over its flows
  double slowest = 0;    ///< of its slowest flow
  friend bool operator==(const BisectionScore&, const BisectionScore&) = default;
};

/// The same bisections with their slowest flows, with and without tables.
std::vector<BisectionScore> bisection_scores(const RouteStore& routes,
                                             const BisectionOptions& options,
                                             const Progress& progress = {});
std::vector<BisectionScore> bisection_scores(const AdaptiveRoutes& routes,
                                             const BisectionOptions& options,
                                             const Progress& progress = {});

/// Their summary.
EffectiveBisectionBandwidth summarise(std::span<const double> bandwidths, std::uint64_t seed);

}  // namespace pssp
