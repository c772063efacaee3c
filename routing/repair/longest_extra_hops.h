#pragma once

// How far tables lead traffic around, so that a repair allows as much.

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Hops by which the longest way to an endpoint is longer than the shortest between its ends, at
/// most max_stable_extra_hops; paths that lead nowhere or round in a cycle count up to there.
/// O(switches x LIDs x hops), and the distances of all pairs of switches in memory.
std::uint32_t longest_extra_hops(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
