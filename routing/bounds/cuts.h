#pragma once

// Cuts of the fabric that few links cross for the routes that must.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Switches on one side of a cut of their island, and what the cut says about any tables.
struct Cut {
  /// Some channel of the cut carries at least so many routes, relative to its capacity: those that
  /// must cross, divided by the capacity that they have for it.
  double routes_per_channel = 0;
  std::vector<SwitchId> inside;  ///< ascending; empty when no cut has routes to cross it
};

/// The tightest cut found, among: the switches nearest to each switch, the switches nearer to one
/// end of a link than to the other, and what moving single switches makes of the best of these.
/// Finding the tightest of all is NP-hard. Looks at `max_work` channels or so, after the first
/// O(channels). The same fabric gives the same cut.
Cut find_tight_cut(const Fabric& fabric, std::uint64_t max_work);

}  // namespace pssp
