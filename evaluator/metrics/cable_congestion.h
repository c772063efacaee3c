#pragma once

// Metric get_cable_cong: the load of a simulation on each cable. pictures/cable_graph.h draws it.

#include <vector>

#include "evaluator/flows/pattern_simulation.h"
#include "fabric/fabric.h"

namespace pssp {

/// Congestion sums of all links relative to the largest, 0 .. 1; all 0 without traffic.
struct ScaledCongestion {
  std::vector<double> channels;        ///< by ChannelId
  std::vector<double> sent, received;  ///< links of endpoints, by position in Fabric::endpoints()
};

/// A sum is the number of flows in all levels and runs times the cost of the link
/// (Fabric::channel_cost()). Excluded links of endpoints have congestion 0. `loads` must belong to
/// this fabric and not be empty. O(links).
ScaledCongestion scaled_congestion(const Fabric& fabric, const CableLoads& loads,
                                   HostLinks host_links);

}  // namespace pssp
