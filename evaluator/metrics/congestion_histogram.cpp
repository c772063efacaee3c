#include "evaluator/metrics/congestion_histogram.h"

#include <cmath>
#include <limits>

namespace pssp {

FlowBandwidth flow_bandwidth(const std::map<double, std::uint64_t>& histogram) {
  FlowBandwidth result;
  double sum = 0;
  for (const auto& [congestion, flows] : histogram) {
    result.flows += flows;
    if (std::isinf(congestion)) {
      result.unrouted += flows;
    } else {
      sum += static_cast<double>(flows) / congestion;
    }
  }
  result.bandwidth = result.flows == 0 ? std::numeric_limits<double>::quiet_NaN()
                                       : sum / static_cast<double>(result.flows);
  return result;
}

}  // namespace pssp
