#include "evaluator/metrics/hops.h"

// All endpoints of a switch share its routes, so pairs are counted by switch: every destination
// adds, for each row of the store, the number of endpoints at the switch of the row.

namespace pssp {

HopStatistics hop_statistics(const RouteStore& routes) {
  HopStatistics statistics;
  std::uint64_t pairs = 0;
  std::uint64_t sum = 0;
  for (std::uint32_t destination = 0; destination < routes.endpoint_count(); ++destination) {
    for (std::uint32_t row = 0; row < routes.row_count(); ++row) {
      const bool own_row = row == routes.endpoint_row(destination);
      const std::uint64_t sources = routes.endpoints_per_row()[row] - (own_row ? 1U : 0U);
      if (sources == 0) continue;
      const int length = routes.hops(row, destination);
      if (length < 0) continue;
      const auto hops = static_cast<std::size_t>(length);
      if (hops >= statistics.histogram.size()) statistics.histogram.resize(hops + 1);
      statistics.histogram[hops] += sources;
      pairs += sources;
      sum += sources * hops;
    }
  }
  if (pairs == 0) return statistics;
  statistics.mean = static_cast<double>(sum) / static_cast<double>(pairs);
  statistics.max = static_cast<std::uint32_t>(statistics.histogram.size() - 1);
  return statistics;
}

}  // namespace pssp
