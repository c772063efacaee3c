#pragma once

// Orders of channels that are good for many routes on regular networks.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// For up to `root_count` switches far from one another: the channels that lead towards the root,
/// those farthest away first, and then those that lead away from it (the routes that ascend are
/// those of up*/down* routing: Schroeder et al., "Autonet", 1991); and the same with both parts
/// exchanged. Each sequence has all channels. On a mesh of any dimensions the corners come first,
/// and the routes of an octant and its opposite ascend in an order of the first kind. O(root_count
/// * channels * log channels).
std::vector<std::vector<std::uint32_t>> up_down_sequences(const Fabric& fabric,
                                                          unsigned root_count);

}  // namespace pssp
