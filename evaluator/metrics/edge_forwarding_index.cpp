#include "evaluator/metrics/edge_forwarding_index.h"

#include <algorithm>
#include <cmath>

#include "fabric/tables/channel_loads.h"

// The index of a channel is the number of routes over it, relative to its capacity; that of the
// fabric is the largest (Heydemann, Meyer, Sotteau, "On forwarding indices of networks", 1989).
// With different link rates, 100 routes over a link of half the usual rate count 200, because they
// take as long as 200 routes over a link of the usual rate.

namespace pssp {

EdgeForwardingIndex edge_forwarding_index_report(const Fabric& fabric,
                                                 std::span<const std::uint64_t> loads,
                                                 std::size_t top) {
  EdgeForwardingIndex report;
  if (loads.empty()) return report;
  std::vector<BusyChannel> channels;
  channels.reserve(loads.size());
  double sum = 0;
  for (std::uint32_t c = 0; c < loads.size(); ++c) {
    const double index = static_cast<double>(loads[c]) * fabric.channel_cost()[c];
    channels.push_back({ChannelId(c), loads[c], index});
    sum += index;
    report.max = std::max(report.max, index);
  }
  const auto count = static_cast<double>(channels.size());
  report.mean = sum / count;
  double squares = 0;
  for (const BusyChannel& c : channels) {
    squares += (c.index - report.mean) * (c.index - report.mean);
  }
  report.deviation = std::sqrt(squares / count);

  std::erase_if(channels, [](const BusyChannel& c) { return c.routes == 0; });
  std::stable_sort(channels.begin(), channels.end(),
                   [](const BusyChannel& a, const BusyChannel& b) { return a.index > b.index; });
  channels.resize(std::min(top, channels.size()));
  report.busiest = std::move(channels);
  return report;
}

}  // namespace pssp
