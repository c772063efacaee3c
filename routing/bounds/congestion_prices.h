#pragma once

// A lower bound on the edge forwarding index by linear-programming duality.

#include <cstdint>

#include "fabric/fabric.h"

namespace pssp {

/// Each channel has a price, and the cost of a route is the sum of the prices of its channels. The
/// total cost of all routes is at least the sum of the costs of the cheapest paths, and at most the
/// index times the sum of all prices. The quotient of both sums is therefore a lower bound of the
/// index. With the best prices, the bound is the index of an optimal routing that can split its
/// routes.
///
/// The search raises the prices of busy channels (Garg and Koenemann, "Faster and simpler
/// algorithms for multicommodity flow and other fractional packing problems", SIAM J. Computing 37,
/// 2007). Every round gives a valid bound; the first round has equal prices (sum of distances /
/// capacity). The search ends when a round gains little or after `max_work` channels, but not
/// before the first round. O(switches with endpoints * channels * log(switches)) per round.
double price_bound(const Fabric& fabric, std::uint64_t max_work);

}  // namespace pssp
