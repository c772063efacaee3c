#include "routing/deadlock/channel_order.h"

#include <limits>

namespace pssp {
namespace {

/// Leaves room for 2^31 channels, more than any fabric has.
constexpr std::uint64_t gap = std::uint64_t{1} << 32;

}  // namespace

ChannelOrder::ChannelOrder(std::span<const std::uint32_t> sequence)
    : label_(sequence.size() + 1), next_(sequence.size() + 1), previous_(sequence.size() + 1) {
  std::uint32_t last = front();
  for (const std::uint32_t channel : sequence) {
    next_[last] = channel;
    previous_[channel] = last;
    last = channel;
  }
  next_[last] = front();
  previous_[front()] = last;
  renew_labels();
}

void ChannelOrder::renew_labels() noexcept {
  std::uint64_t label = 0;
  label_[front()] = label;
  for (std::uint32_t c = next_[front()]; c != front(); c = next_[c]) label_[c] = label += gap;
}

std::uint64_t ChannelOrder::label_behind(std::uint32_t place) {
  const std::uint32_t next = next_[place];
  if (next == front()) {
    if (label_[place] > std::numeric_limits<std::uint64_t>::max() - gap) renew_labels();
    return label_[place] + gap;
  }
  if (label_[next] - label_[place] < 2) renew_labels();
  return label_[place] + (label_[next] - label_[place]) / 2;
}

void ChannelOrder::move_behind(std::uint32_t channel, std::uint32_t place,
                               std::uint64_t label) noexcept {
  next_[previous_[channel]] = next_[channel];
  previous_[next_[channel]] = previous_[channel];
  const std::uint32_t next = next_[place];
  next_[place] = channel;
  previous_[channel] = place;
  next_[channel] = next;
  previous_[next] = channel;
  label_[channel] = label;
}

std::vector<std::uint32_t> ChannelOrder::sequence() const {
  std::vector<std::uint32_t> channels;
  channels.reserve(next_.size() - 1);
  for (std::uint32_t c = next_[front()]; c != front(); c = next_[c]) channels.push_back(c);
  return channels;
}

}  // namespace pssp
