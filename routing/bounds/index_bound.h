#pragma once

// A lower bound of the edge forwarding index for all tables of a fabric. Tables that reach the
// bound cannot be improved.

#include <cstdint>

#include "fabric/fabric.h"
#include "routing/bounds/cuts.h"

namespace pssp {

/// See docs/explanation/bounds.md.
struct IndexBound {
  double value = 0;        ///< no tables have a smaller edge forwarding index (channel_loads.h)
  Cut cut;                 ///< the tightest cut found
  double price_bound = 0;  ///< the other bound (congestion_prices.h); value is the larger one,
                           ///< rounded up if all links are equal
};

/// Holds for routes of any length; 0 if all endpoints are at one switch. Examines about `max_work`
/// channels: the default takes some tenths of a second.
IndexBound edge_forwarding_index_bound(const Fabric& fabric, std::uint64_t max_work = 20'000'000);

}  // namespace pssp
