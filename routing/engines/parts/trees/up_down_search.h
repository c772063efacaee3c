#pragma once

// Searches for the order whose up*/down* routes have the least contention.

#include <cstdint>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"

namespace pssp {

struct UpDownOptions {
  /// Number of roots per island from which orders grow, at least 1.
  unsigned roots = 4;
  /// Limit of the examined channels, summed over the trees of all tried orders except the first.
  std::uint64_t max_probes = 10'000'000;
};

/// Returns a usable order. Grows orders from the roots by three methods; then improves the best one
/// by moving single switches. Orders are compared by the expected number of pairs of routes that
/// share a channel if the routes to each destination are spread evenly over the shortest legal
/// paths. The same fabric and options give the same order. O((switches with endpoints + roots) *
/// channels + max_probes). Throws Stopped.
UpDownOrder find_up_down_order(const Fabric& fabric, const UpDownOptions& options = {},
                               const StopSignal& stop = {});

/// The number of pairs of routes that share a channel if the routes to each destination are spread
/// evenly over the minimal paths that are legal by a usable order, relative to the number with all
/// minimal paths: 1 on fat trees without faults, about 1 on extended and damaged ones, 1.5 and more
/// on tori; 1 without routes. O(switches with endpoints * channels).
double sharing_factor(const Fabric& fabric, const UpDownOrder& order);

}  // namespace pssp
