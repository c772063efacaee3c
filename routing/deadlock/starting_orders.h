#pragma once

// Orders of channels that suit many routes on regular networks.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// For up to `root_count` switches far from each other: the channels that lead towards the root,
/// farthest first, and then the channels that lead away from it, in which the routes of up*/down*
/// routing ascend (Schroeder et al., "Autonet", 1991); and the same with both parts exchanged. Each
/// sequence contains all channels. On a mesh of any dimension, corners come first, and the routes
/// of an octant and its opposite ascend in an order of the first kind. O(root_count * channels *
/// log channels).
std::vector<std::vector<std::uint32_t>> up_down_sequences(const Fabric& fabric,
                                                          unsigned root_count);

}  // namespace pssp
