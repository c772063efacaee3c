#pragma once

// Disconnected parts of a fabric.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// By SwitchId: the number of its island, counted from 0 in the order of lowest SwitchIds.
/// O(switches + channels).
std::vector<std::uint32_t> islands(const Fabric& fabric);

}  // namespace pssp
