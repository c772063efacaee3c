#pragma once

// A total order of channels in which a channel can be moved in constant time.

#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// A linked list whose elements have ascending labels, so that two elements are compared in O(1)
/// (Dietz, Sleator: "Two Algorithms for Maintaining Order in a List", STOC 1987). Unlike there, all
/// labels are renewed when a gap is used up, which is rare with 2^32 labels between neighbors.
class ChannelOrder {
 public:
  /// `sequence`: each channel 0 .. size - 1 once, first to last. O(channels).
  explicit ChannelOrder(std::span<const std::uint32_t> sequence);

  /// Ascends with the position in the order. Valid until the next move.
  std::uint64_t label(std::uint32_t channel) const noexcept { return label_[channel]; }
  bool before(std::uint32_t a, std::uint32_t b) const noexcept { return label_[a] < label_[b]; }
  /// The channel before, or front() for the first channel.
  std::uint32_t previous(std::uint32_t channel) const noexcept { return previous_[channel]; }
  /// The place before the first channel.
  std::uint32_t front() const noexcept { return static_cast<std::uint32_t>(label_.size() - 1); }

  /// The label that a channel will have if it is moved right behind `place` (a channel or front()).
  /// May renew all labels. Amortized O(1).
  std::uint64_t label_behind(std::uint32_t place);
  /// `label` must be the result of an immediately preceding label_behind(place); `channel` must not
  /// be `place`. O(1).
  void move_behind(std::uint32_t channel, std::uint32_t place, std::uint64_t label) noexcept;

  /// The channels, first to last. O(channels).
  std::vector<std::uint32_t> sequence() const;

 private:
  void renew_labels() noexcept;

  // The last entry is the ring's front: its successor is the first channel.
  std::vector<std::uint64_t> label_;
  std::vector<std::uint32_t> next_, previous_;
};

}  // namespace pssp
