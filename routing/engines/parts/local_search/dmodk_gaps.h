#pragma once

// The numbers that D-mod-K may leave out between the leaves of a tree.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Values of DmodkCount::gap above 0, ascending, that keep shifts balanced: of as many consecutive
/// hosts as a leaf has, no more than necessary use the same uplink. The numbers of hosts and
/// uplinks are those of the most frequent kind of leaf. Empty if the hosts are a multiple of the
/// uplinks. `fabric`: a tree. O(channels).
std::vector<std::uint32_t> harmless_gaps(const Fabric& fabric);

}  // namespace pssp
