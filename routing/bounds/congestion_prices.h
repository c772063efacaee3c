#pragma once

// A lower bound on the edge forwarding index by linear-programming duality.

#include <cstdint>

#include "fabric/fabric.h"

namespace pssp {

/// Put a price on each channel. A route pays the prices of its channels, so all routes together pay
/// at least their cheapest paths' prices; they also pay no more than the index times the sum of all
/// prices. So sum(cheapest paths) / sum(prices) is a lower bound, and with the best prices it is
/// the index of the best routing if routes could be split at will. Prices are found by raising
/// those of busy channels, as Garg and Koenemann do ("Faster and simpler algorithms for
/// multicommodity flow and other fractional packing problems", SIAM J. Computing 37, 2007); every
/// round is a bound, the first one with equal prices (sum of distances / capacity). Rounds end when
/// they gain little or have looked at `max_work` channels; at least one is made. O(switches with
/// endpoints * channels * log(switches)) a round.
double price_bound(const Fabric& fabric, std::uint64_t max_work);

}  // namespace pssp
