#pragma once

// The search for orders of channels, one per lane, such that each bundle of routes ascends in one.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "routing/deadlock/channel_order.h"
#include "routing/deadlock/route_forest.h"

namespace pssp {

/// Routes that must share a lane: one route, or the routes of two switches in both directions. A
/// route is a path of dependencies.
struct RouteBundles {
  std::vector<std::uint32_t> first_path{0};  ///< by bundle, into first_step
  std::vector<std::uint32_t> first_step{0};  ///< by path, into steps
  std::vector<std::uint32_t> steps;          ///< indices of dependencies

  std::size_t count() const noexcept { return first_path.size() - 1; }
};

/// Improves the orders by local search: chooses a random bundle that ascends in no lane, and
/// changes the lane in which making it ascend costs least. Bundles that stay uncovered gain weight
/// (Morris: "The Breakout Method for Escaping from Local Minima", AAAI 1993). The result depends
/// only on the bundles.
class LaneSearch {
 public:
  /// The arguments must outlive the object.
  LaneSearch(const Fabric& fabric, const RouteForest& forest, const RouteBundles& bundles,
             const StopSignal& stop);

  /// Fills lanes one after the other, each with as many remaining bundles as a quickly found order
  /// covers, until no bundle remains, there are `most` lanes, or the search is stopped. O(lanes *
  /// steps of all bundles).
  void fill(unsigned most);
  unsigned lanes() const noexcept { return static_cast<unsigned>(lanes_.size()); }
  /// Bundles that ascend in no lane.
  std::size_t uncovered() const noexcept { return uncovered_.size(); }

  /// Keeps the first `lanes` lanes and searches until all bundles ascend in one of them. Returns
  /// false and restores the lanes if it gives up or is stopped. `effort` limits the elementary
  /// changes; a quarter of it may pass without progress.
  bool reduce(unsigned lanes, std::uint64_t effort);
  /// Whether the stop signal ended some work.
  bool stopped() const noexcept { return stopped_; }
  /// Elementary changes so far.
  std::uint64_t work() const noexcept { return work_; }

  /// One order per lane.
  std::vector<ChannelOrder> orders() const;

 private:
  struct Lane {
    ChannelOrder order;
    std::vector<std::uint32_t> descents;  // by bundle: its descending dependencies
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
  std::vector<std::vector<std::uint32_t>> starts_;  // candidates for an initial order
  // By dependency: the distinct bundles that have it. By channel: its dependencies.
  std::vector<std::uint32_t> first_user_, users_, first_incident_, incident_;

  std::vector<Lane> lanes_;
  std::vector<std::uint8_t> covering_;  // by bundle: number of lanes in which it ascends
  std::vector<std::uint32_t> weight_;   // by bundle
  std::vector<std::uint32_t> place_;    // by bundle: its index in uncovered_
  std::vector<std::uint32_t> uncovered_;
  std::int64_t cost_ = 0;    // weight of the uncovered bundles
  std::vector<Move> moves_;  // of the change under trial, for undoing it
  std::uint64_t work_ = 0;
  const StopSignal& stop_;
  bool stopped_ = false;
  MersenneRandom random_;
};

}  // namespace pssp
