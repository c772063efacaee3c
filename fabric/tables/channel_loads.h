#pragma once

// The number of routes over each channel.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Number of routes over each channel between switches: one route from every endpoint to every LID
/// of every other endpoint (the l(e) of the slides "Optimized Routing for Large-Scale InfiniBand
/// Networks"). Routes that end nowhere or in a loop count on no channel. Index: ChannelId. O(LIDs *
/// switches).
std::vector<std::uint64_t> channel_loads(const Fabric& fabric, const ForwardingTables& tables);

/// Edge forwarding index: the largest load relative to the channel's capacity, max over c of
/// loads[c] * channel_cost[c]. 0 in a fabric without channels.
double edge_forwarding_index(const Fabric& fabric, const std::vector<std::uint64_t>& loads);

}  // namespace pssp
