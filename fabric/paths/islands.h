#pragma once

// Parts of a fabric that no cable joins.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// By SwitchId: the number of its island. Islands count from 0 in the order of their lowest
/// SwitchIds. O(switches + channels).
std::vector<std::uint32_t> islands(const Fabric& fabric);

}  // namespace pssp
