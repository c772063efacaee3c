#pragma once

// The search for orders of channels, one a lane, such that each bundle of routes ascends in one.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "routing/deadlock/channel_order.h"
#include "routing/deadlock/route_forest.h"

namespace pssp {

/// Routes that must share a lane: one, or those of a pair of switches in both directions. A route
/// is a path of dependencies.
struct RouteBundles {
  std::vector<std::uint32_t> first_path{0};  ///< by bundle, into first_step
  std::vector<std::uint32_t> first_step{0};  ///< by path, into steps
  std::vector<std::uint32_t> steps;          ///< numbers of dependencies

  std::size_t count() const noexcept { return first_path.size() - 1; }
};

/// Searches local changes of the orders: a bundle that ascends in no lane is chosen at random, and
/// the lane is changed for it where that costs the least. Bundles that resist grow in weight
/// (Morris: "The Breakout Method for Escaping from Local Minima", AAAI 1993). The same bundles give
/// the same orders.
class LaneSearch {
 public:
  /// The arguments must outlive the object.
  LaneSearch(const Fabric& fabric, const RouteForest& forest, const RouteBundles& bundles,
             const StopSignal& stop);

  /// Fills lanes one after the other, each with as many of the bundles that are left as an order of
  /// moderate quality takes, until none is left, there are `most`, or it was asked to stop. O(lanes
  /// * steps of all bundles).
  void fill(unsigned most);
  unsigned lanes() const noexcept { return static_cast<unsigned>(lanes_.size()); }
  /// Bundles that ascend in no lane.
  std::size_t uncovered() const noexcept { return uncovered_.size(); }

  /// Keeps the first `lanes` lanes and searches until all bundles ascend in one of them; false when
  /// it gives up or was asked to stop, with the lanes as they were. `effort` bounds the elementary
  /// changes, a quarter of it those without progress.
  bool reduce(unsigned lanes, std::uint64_t effort);
  /// Whether it was asked to stop, and ended some work for that reason.
  bool stopped() const noexcept { return stopped_; }
  /// Elementary changes so far.
  std::uint64_t work() const noexcept { return work_; }

  /// One order a lane.
  std::vector<ChannelOrder> orders() const;

 private:
  struct Lane {
    ChannelOrder order;
    std::vector<std::uint32_t> descents;  // by bundle: its dependencies that descend
  };
  struct Move {
    std::uint32_t channel, behind;
  };
  struct Change {
    Lane* lane = nullptr;
    bool forward = false;
    std::int64_t cost = 0;
  };

  bool asked_to_stop();
  void index_bundles();
  ChannelOrder initial_order(const std::vector<std::uint8_t>& is_left) const;
  std::size_t count_ascending(const ChannelOrder& order,
                              std::span<const std::uint32_t> sample) const;
  std::vector<std::uint32_t> order_by_position(const std::vector<std::uint8_t>& is_left) const;
  std::vector<std::int64_t> dependency_weights(const ChannelOrder& order,
                                               const std::vector<std::uint8_t>& is_left) const;
  bool sift(ChannelOrder& order, const std::vector<std::int64_t>& weights) const;
  unsigned count_descents(const ChannelOrder& order, std::size_t bundle) const;
  void make_ascend(ChannelOrder& order, std::size_t bundle) const;
  void count_all();

  bool improve(std::uint64_t effort);
  Change cheapest_change(std::uint32_t bundle);
  void enforce(Lane& lane, std::uint32_t bundle, bool forward, std::int64_t give_up);
  void take_back(Lane& lane);
  void move(Lane& lane, std::uint32_t channel, std::uint32_t behind);
  void run_local_search(Lane& lane, std::uint32_t dependency);
  void ascend(Lane& lane, std::uint32_t dependency);
  void uncover(std::uint32_t bundle);
  void cover(std::uint32_t bundle);

  std::size_t channels_;
  const RouteForest& forest_;
  const RouteBundles& bundles_;
  std::vector<std::vector<std::uint32_t>> starts_;  // orders that may suit
  // By dependency: the bundles that have it, each once. By channel: its dependencies.
  std::vector<std::uint32_t> first_user_, users_, first_incident_, incident_;

  std::vector<Lane> lanes_;
  std::vector<std::uint8_t> covering_;  // by bundle: lanes in which it ascends
  std::vector<std::uint32_t> weight_;   // by bundle
  std::vector<std::uint32_t> place_;    // by bundle: in uncovered_
  std::vector<std::uint32_t> uncovered_;
  std::int64_t cost_ = 0;    // weight of the uncovered bundles
  std::vector<Move> moves_;  // of the change under trial, to take them back
  std::uint64_t work_ = 0;
  const StopSignal& stop_;
  bool stopped_ = false;
  MersenneRandom random_;
};

}  // namespace pssp
