#pragma once

// Max-min fair shares: what flows would get if all links were shared without a word wasted on
// congestion, the yardstick by which victims are told from flows that are slow for a reason.
// Bertsekas, Gallager, "Data Networks", 2nd edition 1992, section 6.5.2.

#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// A flow over links, which are numbers below the number of capacities.
struct SharingFlow {
  std::vector<std::uint32_t> links;  ///< each once
  double weight = 1;                 ///< > 0; a flow of weight 2 counts as two that end alike
  double demand = 0;                 ///< sends no more than this; 0: as much as it can
};

/// The rate of each flow, in the unit of the capacities: no rate can be raised without lowering one
/// that is not larger for its weight. A flow over no link and without a demand gets 0. O(sum of
/// routes * log (links + flows)).
std::vector<double> max_min_shares(std::span<const SharingFlow> flows,
                                   std::span<const double> capacities);

}  // namespace pssp
