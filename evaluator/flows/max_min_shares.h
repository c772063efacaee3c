#pragma once

// Max-min fair shares: the rates if links were shared fairly without congestion spreading, which
// distinguish victims of congestion from flows that are slow for other reasons. Bertsekas,
// Gallager, "Data Networks", 2nd edition 1992, section 6.5.2.

#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// A flow over links, which are indices into the capacities.
struct SharingFlow {
  std::vector<std::uint32_t> links;  ///< distinct
  double weight = 1;                 ///< > 0; weight 2 counts as two flows
  double demand = 0;                 ///< maximum rate; 0: no limit
};

/// The rate of each flow, in the unit of the capacities: no rate can be raised without lowering
/// another that is not larger relative to its weight. A flow without links and demand gets 0. O(sum
/// of routes * log (links + flows)).
std::vector<double> max_min_shares(std::span<const SharingFlow> flows,
                                   std::span<const double> capacities);

}  // namespace pssp
