#include "routing/deadlock/sorted_channels.h"

#include <algorithm>

namespace pssp {

void SortedChannels::trace_cycle(std::uint32_t from, std::uint32_t goal) {
  cycle_.clear();
  for (std::uint32_t c = goal; c != from; c = found_from_[c]) cycle_.push_back(c);
  cycle_.push_back(from);
  std::ranges::reverse(cycle_);
}

/// Channels that lead to the new dependency move before the channels that it leads to, within the
/// positions that both sets occupy.
void SortedChannels::reorder() {
  const auto by_position = [this](std::uint32_t c) { return position_[c]; };
  std::ranges::sort(backward_, {}, by_position);
  std::ranges::sort(forward_, {}, by_position);
  std::vector<std::uint32_t> channels = backward_;
  channels.insert(channels.end(), forward_.begin(), forward_.end());
  std::vector<std::uint32_t> positions;
  positions.reserve(channels.size());
  for (const std::uint32_t c : channels) positions.push_back(position_[c]);
  std::ranges::sort(positions);
  for (std::size_t i = 0; i < channels.size(); ++i) position_[channels[i]] = positions[i];
}

}  // namespace pssp
