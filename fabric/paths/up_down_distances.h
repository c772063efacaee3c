#pragma once

// The shortest up*/down* paths to one switch that linear forwarding tables can express.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_order.h"

namespace pssp {

/// Forwarding depends on a packet's destination, but not on whether it has already gone down. So
/// for each destination, every switch either may be entered from above, and then forwards only
/// down, or it may not. Switches are processed highest first: each gets the shortest path that the
/// decisions above it permit; then the switches on its shortest down paths may be entered from
/// above. Of equally short paths, it avoids those that would take an uplink from hosts. Has the
/// interface of HopDistances; reusable, allocates memory only once.
class UpDownDistances {
 public:
  /// The fabric must outlive the object, the order be usable. O(switches + channels).
  UpDownDistances(const Fabric& fabric, const UpDownOrder& order);

  /// Prepares for the paths to `root`. O(switches + channels).
  void search(SwitchId root);

  /// Hops of the path by SwitchId; unreachable_distance for switches on another island.
  std::span<const std::uint32_t> distance() const noexcept { return distance_; }
  /// Switches that reach the root, nearest first, beginning with the root.
  std::span<const std::uint32_t> order() const noexcept { return order_; }
  /// Whether `channel` out of switch s is the first of a path of distance()[s] hops. All paths are
  /// legal, whichever of these channels each switch uses.
  bool is_next_hop(std::uint32_t s, std::uint32_t channel) const noexcept {
    const std::uint32_t next = fabric_.channel_head()[channel];
    if (distance_[next] + 1 != distance_[s]) return false;
    return goes_up(channel) ? from_above_[s] == 0 : from_above_[next] != 0;
  }

 private:
  bool goes_up(std::uint32_t channel) const noexcept { return is_up_[channel] != 0; }
  void measure_descents(std::uint32_t root);
  void choose_directions();
  std::uint32_t shortest_climb(std::uint32_t s) const;
  bool open_descents(std::uint32_t s, bool can_climb);
  void sort_by_distance();

  const Fabric& fabric_;
  std::vector<std::uint32_t> highest_first_;
  std::vector<std::uint8_t> is_up_;       // by ChannelId
  std::vector<std::uint32_t> descent_;    // hops by down channels only; by SwitchId, as below
  std::vector<std::uint8_t> can_climb_;   // it has hosts and an up path of descent_ hops
  std::vector<std::uint8_t> from_above_;  // whether it may be entered from above
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> above_root_;      // switches with a local search
  std::vector<std::uint32_t> first_position_;  // in order_, by distance
};

}  // namespace pssp
