#pragma once

// How low can the edge forwarding index be? A lower bound for all tables of a fabric, so that one
// knows when there is nothing left to gain.

#include <cstdint>

#include "fabric/fabric.h"
#include "routing/bounds/cuts.h"

namespace pssp {

/// See docs/explanation/bounds.md.
struct IndexBound {
  double value = 0;        ///< no tables have an edge forwarding index below it (channel_loads.h)
  Cut cut;                 ///< the tightest cut found
  double price_bound = 0;  ///< the other bound (congestion_prices.h); value is the greater one,
                           ///< rounded up where all links are equal
};

/// Holds for routes of any length; 0 in a fabric whose endpoints are all at one switch. About
/// `max_work` looks at channels: the default takes some tenths of a second.
IndexBound edge_forwarding_index_bound(const Fabric& fabric, std::uint64_t max_work = 20'000'000);

}  // namespace pssp
