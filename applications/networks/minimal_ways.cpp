// Ways are counted from their end: a switch has as many as the switches one hop nearer together.
// Evenly over all ways then means that of what comes by a switch each channel takes the share that
// the ways behind it have.

#include "applications/networks/minimal_ways.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pssp {

MinimalWays::MinimalWays(const Fabric& fabric)
    : fabric_(fabric),
      distances_(fabric),
      searched_(static_cast<std::uint32_t>(fabric.switch_count())),
      ways_to_(fabric.switch_count()),
      share_(fabric.switch_count()) {}

void MinimalWays::search(SwitchId to) {
  searched_ = to;
  distances_.search(to);
  const auto first = fabric_.first_channel();
  for (const std::uint32_t at : distances_.order()) {
    ways_to_[at] = at == to.value() ? 1 : 0;
    for (std::uint32_t channel = first[at]; channel < first[at + 1]; ++channel) {
      if (distances_.leads(at, channel)) ways_to_[at] += ways_to_[fabric_.channel_head()[channel]];
    }
  }
}

const MinimalWays::Ways* MinimalWays::between(SwitchId from, SwitchId to) {
  const auto [found, is_new] = found_.try_emplace(std::uint64_t{from.value()} << 32U | to.value());
  Ways& ways = found->second;
  if (!is_new) return ways.hops == unreachable_distance ? nullptr : &ways;
  if (searched_ != to) search(to);
  ways.hops = distances_.distance()[from.value()];
  if (ways.hops == unreachable_distance) return nullptr;
  share_[from.value()] = 1;
  const auto first = fabric_.first_channel();
  std::vector<std::uint32_t> layer{from.value()};
  while (!layer.empty() && layer.front() != to.value()) {
    std::vector<std::uint32_t> nearer;
    for (const std::uint32_t at : layer) {
      const double share = std::exchange(share_[at], 0);
      for (std::uint32_t channel = first[at]; channel < first[at + 1]; ++channel) {
        if (!distances_.leads(at, channel)) continue;
        const std::uint32_t head = fabric_.channel_head()[channel];
        const double part = share * ways_to_[head] / ways_to_[at];
        if (share_[head] == 0) nearer.push_back(head);
        share_[head] += part;
        const auto rounded = static_cast<std::uint32_t>(std::llround(part * LinkPart::whole));
        ways.parts.push_back({channel, std::max(rounded, 1U)});
      }
    }
    layer = std::move(nearer);
  }
  share_[to.value()] = 0;
  std::ranges::sort(ways.parts, {}, &LinkPart::link);
  return &ways;
}

}  // namespace pssp
