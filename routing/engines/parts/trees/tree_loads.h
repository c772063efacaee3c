#pragma once

// What the trees so far load each channel with.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Loads are relative to the capacity: a link of half the speed is loaded twice as much by a route,
/// and so gets half the routes.
///
/// Of paths that cost the same the first counts. As long as loads are whole multiples of `step` and
/// less than `limit`, each is stored with a mark: the number of its channel among those of its
/// switch, as a fraction of a step. Costs are then all different, the least of them says by which
/// way it comes, and doubles hold all of this exactly.
class TreeLoads {
 public:
  /// More than one route's share is a multiple of it where loads are marked.
  static constexpr double step = 1.0 / 1024;
  /// Marks are multiples of it, and fewer than 256 of them, for a switch has 254 channels at most:
  /// less than half a step, so that rounding to steps takes them off.
  static constexpr double mark = step / 512;
  static constexpr std::uint64_t marks = 512;
  /// What paths may cost at most where loads are marked: the 53 bits of a double hold it.
  static constexpr double default_limit = 0x1p34;

  /// All zero; marked if the costs of all channels are multiples of a step.
  explicit TreeLoads(const Fabric& fabric, double limit = default_limit);

  bool are_marked() const noexcept { return marked_; }
  /// True if a route loads each channel by 1.
  bool count_routes() const noexcept { return count_routes_; }
  /// Takes the marks off, once and for all.
  void unmark();
  /// Trees are to come that add no more than `load` to all channels together. Takes the marks off
  /// if paths might then cost more than the limit.
  void make_room(double load);

  /// By ChannelId, with the marks if there are any; `padding` more may be read, which say nothing.
  std::vector<double>& values() noexcept { return values_; }
  static constexpr std::size_t padding = 4;

  /// Adds `load` to each channel that a column of TreeColumns has a way by; empty columns have
  /// none.
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
