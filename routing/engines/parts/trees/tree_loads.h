#pragma once

// The load of each channel by the trees chosen so far.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Loads are relative to the capacity: a route adds twice as much to a link of half the speed,
/// which so gets half the routes.
///
/// Of paths with equal cost, the first is chosen. As long as loads are multiples of `step` and less
/// than `limit`, each is stored with a mark: the number of its channel among those of its switch,
/// as a fraction of a step. Costs are then all different, the lowest one identifies its channel,
/// and doubles represent all of this exactly.
class TreeLoads {
 public:
  /// If loads are marked, the load of one route on a channel is a multiple of this, and larger.
  static constexpr double step = 1.0 / 1024;
  /// Marks are less than 256 times this, because a switch has at most 254 channels: less than half
  /// a step, so that rounding to steps removes them.
  static constexpr double mark = step / 512;
  static constexpr std::uint64_t marks = 512;
  /// Limit of the cost of paths with marked loads, so that the 53 bits of a double suffice.
  static constexpr double default_limit = 0x1p34;

  /// All zero; marked if the costs of all channels are multiples of a step.
  explicit TreeLoads(const Fabric& fabric, double limit = default_limit);

  bool are_marked() const noexcept { return marked_; }
  /// True if a route loads each channel by 1.
  bool count_routes() const noexcept { return count_routes_; }
  /// Removes the marks permanently.
  void unmark();
  /// Announces trees that add at most `load` to all channels together. Removes the marks if the
  /// cost of paths could then exceed the limit.
  void make_room(double load);

  /// By ChannelId, with marks if there are any, followed by `padding` readable values without
  /// meaning.
  std::vector<double>& values() noexcept { return values_; }
  static constexpr std::size_t padding = 4;

  /// Adds `load` to each channel that a column of TreeColumns uses.
  void lean(std::span<const std::uint8_t> column, double load);

  /// The sum over the channels of the squared load: the number of pairs of routes that share a
  /// channel.
  double shared_pairs() const;

 private:
  double mark_of(std::uint32_t channel) const;

  const Fabric& fabric_;
  std::vector<double> values_;
  double limit_;
  double total_ = 0;  // of all loads; an upper bound
  bool marked_ = true;
  bool count_routes_ = true;
};

}  // namespace pssp
