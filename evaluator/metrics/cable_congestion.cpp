#include "evaluator/metrics/cable_congestion.h"

#include <algorithm>
#include <cstddef>

// According to the report (section 2.5), the congestion map of each level is summed once the level
// is complete. The source of ORCS adds the map after every flow, so that the channels of the first
// flow of a level count once per flow of the level. This file follows the report;
// docs/reference/metrics.md describes the difference.

namespace pssp {
namespace {

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

void divide(std::vector<double>& values, double by) {
  for (double& value : values) value /= by;
}

}  // namespace

ScaledCongestion scaled_congestion(const Fabric& fabric, const CableLoads& loads,
                                   HostLinks host_links) {
  ScaledCongestion result{.channels = std::vector<double>(loads.channels.size()),
                          .sent = std::vector<double>(loads.sent.size()),
                          .received = std::vector<double>(loads.received.size())};
  for (std::size_t c = 0; c < loads.channels.size(); ++c) {
    result.channels[c] = static_cast<double>(loads.channels[c]) * fabric.channel_cost()[c];
  }
  if (host_links == HostLinks::counted) {
    for (std::size_t i = 0; i < loads.sent.size(); ++i) {
      const double cost = fabric.end_port_cost(fabric.endpoints()[i]);
      result.sent[i] = static_cast<double>(loads.sent[i]) * cost;
      result.received[i] = static_cast<double>(loads.received[i]) * cost;
    }
  }
  const double most =
      std::max({largest(result.channels), largest(result.sent), largest(result.received)});
  if (most == 0) return result;
  divide(result.channels, most);
  divide(result.sent, most);
  divide(result.received, most);
  return result;
}

}  // namespace pssp
