#pragma once

// Lengths of the routes.

#include <cstdint>
#include <vector>

#include "evaluator/flows/route_store.h"

namespace pssp {

/// Hops of a route are the switch-to-switch channels on it: 0 between end ports of one switch.
struct HopStatistics {
  std::vector<std::uint64_t>
      histogram;    ///< ordered pairs of endpoints, by hops; empty when no pair has a route
  double mean = 0;  ///< over the pairs that have a route; 0 when there is none
  std::uint32_t max = 0;
};

/// Over the routes from each endpoint to the base LID of each other. O(endpoints * switches).
HopStatistics hop_statistics(const RouteStore& routes);

}  // namespace pssp
