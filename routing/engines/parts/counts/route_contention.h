#pragma once

// Contention in random traffic: the cost that engine cassp lowers
// (docs/explanation/routing-algorithms.md derives it).

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The tree of one LID: by SwitchId the channel that each switch of `switches` forwards by, and the
/// number of routes over that channel. The tree's root has no channel and is not among `switches`.
struct RouteTree {
  std::span<const std::uint32_t> switches;
  std::span<const std::uint32_t> out_channel;
  std::span<const std::uint32_t> routes;
  std::uint32_t root = 0;
};

/// Numbers of routes on every channel and every turn, updated when trees are added or removed.
///
/// A turn is a pair of consecutive channels of a route. Routes with the same turn from a to b share
/// a, too. So of the L(b)^2 pairs of routes on b, all except the T(a, b)^2 pairs of each turn share
/// b as their first channel. Routes that start at the same endpoint already share its link.
class ContentionCounts {
 public:
  /// All counts 0. O(switches + sum of squared switch degrees) time and memory.
  explicit ContentionCounts(const Fabric& fabric);

  void add(const RouteTree& tree) { change(tree, 1); }
  /// `tree` must have been added as it is.
  void remove(const RouteTree& tree) { change(tree, -1); }

  /// Whether all channels have the same capacity; then all counts are integers.
  bool is_uniform() const noexcept { return uniform_; }
  std::uint32_t routes(std::uint32_t channel) const noexcept { return routes_[channel]; }
  /// Routes over `channel` that start at its tail.
  std::uint32_t starting(std::uint32_t channel) const noexcept { return starting_[channel]; }
  /// Counts of routes that take `channel` right after another, to be read at the other's reverse.
  const std::uint32_t* turns_to(std::uint32_t channel) const noexcept {
    return turns_.data() + turn_row_[channel];
  }
  /// Returns zeros: there is no further contention between switch s and its end ports.
  const std::uint32_t* turns_to_end_ports(std::uint32_t s) const noexcept {
    return turns_.data() + (no_turns_ - fabric_.first_channel()[s]);
  }
  /// Routes that take `channel` right after `before`.
  std::uint32_t turns(std::uint32_t before, std::uint32_t channel) const noexcept {
    return turns_[turn_index(before, channel)];
  }

  /// Routes that one more route on `channel` shares it with, relative to the capacity.
  double on_channel(std::uint32_t channel) const noexcept {
    return uniform_ ? routes_[channel] : cost_[channel] * routes_[channel];
  }
  /// Number of these that start at the same end port as the route, summed over the end ports at the
  /// tail of `channel`.
  double shared_at_start(std::uint32_t channel) const noexcept {
    return cost_[channel] * starting_[channel];
  }
  /// Number of these that the route already shares channel `before` with, before it turns to
  /// `channel`.
  double shared_at_turn(std::uint32_t before, std::uint32_t channel) const noexcept {
    const double turns = turns_[turn_index(before, channel)];
    return uniform_ ? turns : turns * std::min(cost_[before], cost_[channel]);
  }

  /// Sum over all channels of the pairs of routes whose first shared channel it is, relative to the
  /// capacity, including pairs in one tree. O(turns).
  double contention() const;

 private:
  void change(const RouteTree& tree, std::int32_t sign);

  std::size_t turn_index(std::uint32_t before, std::uint32_t channel) const noexcept {
    return turn_row_[channel] + reverse_[before];
  }

  const Fabric& fabric_;
  std::span<const double> cost_;
  std::span<const std::uint32_t> reverse_;
  bool uniform_;  // all costs are 1
  // 32 bits suffice: at most 49,151 endpoints times 49,151 unicast LIDs.
  std::vector<std::uint32_t> routes_;    // by ChannelId
  std::vector<std::uint32_t> starting_;  // those of them that start at the channel's tail
  // A square for each switch: a row for each channel out, in it all channels in, by their reverse.
  // Behind them a row of zeros, from no_turns_ on.
  std::vector<std::uint32_t> turns_;
  std::size_t no_turns_ = 0;
  std::vector<std::size_t> turn_row_;  // by channel out; the reverse of the channel in is added
};

/// Pairs of routes with different sources and different destination LIDs that share a channel,
/// relative to the capacity of the first shared channel; a pair that separates and meets again
/// counts again. Low if random permutations get much bandwidth. O(LIDs * switches + sum of squared
/// switch degrees).
double contending_pairs(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
