// Paths are counted from their end: a switch has as many as all switches one hop nearer together.
// With an even division over all paths, each channel out of a switch gets the share of the flow
// that corresponds to the number of paths behind it.

#include "applications/networks/minimal_paths.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pssp {

MinimalPaths::MinimalPaths(const Fabric& fabric)
    : fabric_(fabric),
      distances_(fabric),
      searched_(static_cast<std::uint32_t>(fabric.switch_count())),
      path_counts_(fabric.switch_count()),
      share_(fabric.switch_count()) {}

void MinimalPaths::search(SwitchId to) {
  searched_ = to;
  distances_.search(to);
  const auto first = fabric_.first_channel();
  for (const std::uint32_t at : distances_.order()) {
    path_counts_[at] = at == to.value() ? 1 : 0;
    for (std::uint32_t channel = first[at]; channel < first[at + 1]; ++channel) {
      if (distances_.is_next_hop(at, channel))
        path_counts_[at] += path_counts_[fabric_.channel_head()[channel]];
    }
  }
}

const MinimalPaths::AllPaths* MinimalPaths::between(SwitchId from, SwitchId to) {
  const auto [found, is_new] = found_.try_emplace(std::uint64_t{from.value()} << 32U | to.value());
  AllPaths& paths = found->second;
  if (!is_new) return paths.hops == unreachable_distance ? nullptr : &paths;
  if (searched_ != to) search(to);
  paths.hops = distances_.distance()[from.value()];
  if (paths.hops == unreachable_distance) return nullptr;
  share_[from.value()] = 1;
  const auto first = fabric_.first_channel();
  std::vector<std::uint32_t> layer{from.value()};
  while (!layer.empty() && layer.front() != to.value()) {
    std::vector<std::uint32_t> nearer;
    for (const std::uint32_t at : layer) {
      const double share = std::exchange(share_[at], 0);
      for (std::uint32_t channel = first[at]; channel < first[at + 1]; ++channel) {
        if (!distances_.is_next_hop(at, channel)) continue;
        const std::uint32_t head = fabric_.channel_head()[channel];
        const double part = share * path_counts_[head] / path_counts_[at];
        if (share_[head] == 0) nearer.push_back(head);
        share_[head] += part;
        const auto rounded = static_cast<std::uint32_t>(std::llround(part * LinkPart::whole));
        paths.parts.push_back({channel, std::max(rounded, 1U)});
      }
    }
    layer = std::move(nearer);
  }
  share_[to.value()] = 0;
  std::ranges::sort(paths.parts, {}, &LinkPart::link);
  return &paths;
}

}  // namespace pssp
