#pragma once

// What of the routes can take part in a deadlock at all.

#include <cstdint>
#include <vector>

#include "routing/deadlock/channel_order.h"
#include "routing/deadlock/lane_search.h"
#include "routing/deadlock/route_forest.h"

namespace pssp {

/// Channels that wait for each other in circles, together: the strongly connected components of all
/// dependencies. O(channels + dependencies).
class ChannelCreditLoops {
 public:
  ChannelCreditLoops(std::size_t channels, const RouteForest& forest);

  /// By ChannelId. A dependency between two credit loops leads to the one of higher number.
  const std::vector<std::uint32_t>& of_channel() const noexcept { return of_channel_; }
  /// Whether both channels of the dependency are in one knot.
  bool is_entangled(std::uint32_t dependency) const noexcept {
    return of_channel_[forest_.first_channel()[dependency]] ==
           of_channel_[forest_.second_channel()[dependency]];
  }
  /// The order in which all dependencies between credit loops ascend, and those within credit loops
  /// as before.
  ChannelOrder untangled(const ChannelOrder& order) const;

 private:
  const RouteForest& forest_;
  std::vector<std::uint32_t> of_channel_;
};

/// What the routes have in credit loops, each such part once, and none that is the rest of another
/// one. Where every part ascends in some order of a set, every route does in the same one's
/// untangled(). O(nodes) time; memory for what is distinct.
RouteBundles entangled_parts(const RouteForest& forest, const ChannelCreditLoops& credit_loops);

}  // namespace pssp
