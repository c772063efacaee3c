#pragma once

// Metric hist_max_cong, over all flows of all levels and runs.

#include <cstdint>
#include <map>

namespace pssp {

struct FlowBandwidth {
  std::uint64_t flows = 0;
  std::uint64_t unrouted = 0;  ///< flows without a route, which have bandwidth 0
  double bandwidth = 0;        ///< mean over the flows of 1 / congestion; NaN without flows
};

/// From SimulationResult::histogram: number of flows by congestion, infinity without a route (ORCS
/// report, section 2.5 and listing 3).
FlowBandwidth flow_bandwidth(const std::map<double, std::uint64_t>& histogram);

}  // namespace pssp
