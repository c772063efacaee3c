#pragma once

// Metric get_cable_cong: the load that a simulation put on each cable. pictures/cable_graph.h draws
// the graph of it.

#include <vector>

#include "evaluator/flows/pattern_simulation.h"
#include "fabric/fabric.h"

namespace pssp {

/// Congestion sums of all links relative to the largest of them, 0 .. 1; all 0 when nothing was
/// sent.
struct ScaledCongestion {
  std::vector<double> channels;        ///< by ChannelId
  std::vector<double> sent, received;  ///< links of endpoints, by position in Fabric::endpoints()
};

/// A sum is the flows of all levels and runs times the cost of the link (Fabric::channel_cost()).
/// Links of endpoints that are left out have congestion 0. `loads` are those of this fabric, not
/// empty. O(links).
ScaledCongestion scaled_congestion(const Fabric& fabric, const CableLoads& loads,
                                   HostLinks host_links);

}  // namespace pssp
