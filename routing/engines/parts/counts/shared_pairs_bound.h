#pragma once

// A lower bound of the number of pairs of routes that share a channel.

#include <cstdint>

#include "fabric/fabric.h"

namespace pssp {

/// A lower bound of the sum over the channels of the squared number of routes, for any tables by
/// which all endpoints reach all LIDs of endpoints on their island. Exact on trees whose links can
/// all be loaded alike, far too low elsewhere. 0 where nothing is known: links differ in capacity,
/// or the sum is too large for a double to hold exactly. O(levels * channels).
std::uint64_t least_shared_pairs(const Fabric& fabric);

}  // namespace pssp
