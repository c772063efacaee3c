#pragma once

// The parts of routes that can take part in a deadlock.

#include <cstdint>
#include <vector>

#include "routing/deadlock/channel_order.h"
#include "routing/deadlock/lane_search.h"
#include "routing/deadlock/route_forest.h"

namespace pssp {

/// The strongly connected components of all dependencies: sets of channels that can wait for each
/// other in a cycle. O(channels + dependencies).
class ChannelCreditLoops {
 public:
  ChannelCreditLoops(std::size_t channels, const RouteForest& forest);

  /// By ChannelId. A dependency between two components leads to the one with the higher number.
  const std::vector<std::uint32_t>& of_channel() const noexcept { return of_channel_; }
  /// Whether both channels of the dependency are in the same component.
  bool is_entangled(std::uint32_t dependency) const noexcept {
    return of_channel_[forest_.first_channel()[dependency]] ==
           of_channel_[forest_.second_channel()[dependency]];
  }
  /// An order in which all dependencies between components ascend; within components, channels keep
  /// their order.
  ChannelOrder untangled(const ChannelOrder& order) const;

 private:
  const RouteForest& forest_;
  std::vector<std::uint32_t> of_channel_;
};

/// The distinct parts of the routes within components, without parts that are the rest of another
/// part. If each part ascends in some order of a set, each route ascends in the untangled() form of
/// that order. O(nodes) time; memory for the distinct parts.
RouteBundles entangled_parts(const RouteForest& forest, const ChannelCreditLoops& credit_loops);

}  // namespace pssp
