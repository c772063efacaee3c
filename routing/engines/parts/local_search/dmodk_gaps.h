#pragma once

// Which numbers the closed form may leave out between the leaves of a tree.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Values of DmodkCount::gap above 0 with which no way up of a leaf is given to more of any
/// neighbouring hosts, as many as a leaf has, than must be; ascending. Hosts and cables up are
/// counted of the leaves that are alike most often. Empty where the hosts divide by the cables.
/// `fabric`: a tree. O(channels).
std::vector<std::uint32_t> harmless_gaps(const Fabric& fabric);

}  // namespace pssp
