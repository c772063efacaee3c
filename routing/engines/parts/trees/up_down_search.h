#pragma once

// The search for an order whose up*/down* routes get in each other's way least.

#include <cstdint>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"

namespace pssp {

struct UpDownOptions {
  /// Switches of each island that orders are grown from, 1 or more.
  unsigned roots = 4;
  /// Channels that may be looked at, summed over the trees of all orders that are tried. The first
  /// order is not counted.
  std::uint64_t max_probes = 10'000'000;
};

/// A usable order. Orders are grown from the roots in three ways; then the best of them is changed
/// switch by switch while that helps. Orders are compared by the expected number of pairs of routes
/// that share a channel, were each destination's routes spread evenly over the shortest legal
/// paths. The same fabric and options give the same order. O((switches with endpoints + roots) *
/// channels + max_probes). Throws Stopped.
UpDownOrder find_up_down_order(const Fabric& fabric, const UpDownOptions& options = {},
                               const StopSignal& stop = {});

/// By which factor more pairs of routes share a channel where each destination's routes are spread
/// evenly over the minimal paths that are legal by a usable order, instead of over all minimal
/// paths: 1 on fat trees without faults, about 1 on grown and damaged ones, 1.5 and more on tori; 1
/// where there are no routes. O(switches with endpoints * channels).
double sharing_factor(const Fabric& fabric, const UpDownOrder& order);

}  // namespace pssp
