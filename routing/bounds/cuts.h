#pragma once

// Cuts of the fabric with few links for the routes that must cross them.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// The switches on one side of a cut of their island, and the bound of the cut for all tables.
struct Cut {
  /// At least one channel of the cut carries this many routes, relative to its capacity: the number
  /// of routes that must cross the cut, divided by the capacity across the cut.
  double routes_per_channel = 0;
  std::vector<SwitchId> inside;  ///< ascending; empty if no route crosses any cut
};

/// The tightest cut among three types: the switches nearest to each switch, the switches nearer to
/// one end of a link, and the best of these cuts after moves of single switches. Finding the
/// tightest of all cuts is NP-hard. Examines about `max_work` channels after the first O(channels).
/// The same fabric always gives the same cut.
Cut find_tight_cut(const Fabric& fabric, std::uint64_t max_work);

}  // namespace pssp
