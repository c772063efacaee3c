#pragma once

// Ways up by rank and then down: what routing on a tree with holes keeps to where it can.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/hop_distances.h"

namespace pssp {

/// A channel goes up when its head is farther from all leaves than its tail (switch_ranks()). A way
/// is legal when it goes up any number of times and then down any number of times. Each switch
/// below which the root hangs goes down to it, others go up to the next one where that can be done;
/// switches from which no legal path leads to the root take the shortest to one that has a way. Has
/// the interface of HopDistances; an object serves many searches and allocates hardly more than
/// once.
class RankDistances {
 public:
  /// The fabric must outlive the object. `ranks`: of its switches.
  RankDistances(const Fabric& fabric, std::vector<std::uint32_t> ranks);

  /// Prepares for the ways to `root`. O(channels).
  void search(SwitchId root);

  /// Hops of the way by SwitchId; unreachable_distance for switches on another island.
  std::span<const std::uint32_t> distance() const noexcept { return distance_; }
  /// Switches that reach the root, nearest first (the root itself is the first).
  std::span<const std::uint32_t> order() const noexcept { return order_; }
  /// True when `channel`, out of switch s, is the first of a way of distance()[s] hops. Whichever
  /// such channel each switch takes, there is no loop, and the ways of switches with a legal path
  /// are legal.
  bool is_next_hop(std::uint32_t s, std::uint32_t channel) const noexcept;
  /// Whether the way of a switch that reaches the root is legal.
  bool has_legal_path(std::uint32_t s) const noexcept { return path_[s] != PathChoice::any; }
  /// Whether all switches with endpoints that reach the root have a legal path.
  bool is_legal_from_all_leaves() const noexcept { return legal_from_leaves_; }

 private:
  enum class PathChoice : std::uint8_t { down, up, any };

  void measure_descents(std::uint32_t root);
  void measure_climbs();
  void measure_rest();
  void sort_by_distance();

  const Fabric& fabric_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> highest_first_;
  std::vector<std::uint32_t> distance_;  // by SwitchId
  std::vector<PathChoice> path_;         // by SwitchId
  std::vector<std::uint32_t> order_;
  bool legal_from_leaves_ = true;
};

}  // namespace pssp
