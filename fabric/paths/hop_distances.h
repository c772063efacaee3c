#pragma once

// Hop distances between switches, by breadth-first search.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

constexpr std::uint32_t unreachable_distance = 0xFFFFFFFF;

/// Breadth-first search towards one switch; reusable, allocates memory only once.
class HopDistances {
 public:
  explicit HopDistances(const Fabric& fabric);

  /// Distances in switch-to-switch channels to `root`. O(switches + channels).
  void search(SwitchId root);

  /// By SwitchId; unreachable_distance for switches on another island.
  std::span<const std::uint32_t> distance() const noexcept { return distance_; }
  /// Switches that reach the root, nearest first, beginning with the root.
  std::span<const std::uint32_t> order() const noexcept { return order_; }
  /// Whether `channel` out of switch s can be the first of a path to the root that is at most
  /// `max_extra_hops` hops longer than minimal; with 0, whether it leads one hop nearer.
  bool is_next_hop(std::uint32_t s, std::uint32_t channel,
                   std::uint32_t max_extra_hops = 0) const noexcept {
    return distance_[fabric_.channel_head()[channel]] < distance_[s] + max_extra_hops;
  }

 private:
  const Fabric& fabric_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> order_;
};

}  // namespace pssp
