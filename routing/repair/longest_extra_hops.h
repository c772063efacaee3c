#pragma once

// How many hops longer than minimal the paths of tables are, so that repairs may use as many.

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The largest difference between a path's hop count and the minimum, over all endpoints; at most
/// max_stable_extra_hops, which is also the result for loops. Paths to a dead end count up to
/// there. O(switches x LIDs x hops); stores the distances of all pairs of switches.
std::uint32_t longest_extra_hops(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
