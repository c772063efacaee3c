#pragma once

// Root switches for OpenSM's engines updn and dnup.

#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Roots of the island with most hosts, ascending; at least one. up_down_roots.cpp describes the
/// choice. Throws Error(unsuitable_topology) if no host is cabled to a switch. O(leaves * (switches
/// + channels)) for each height of a switch above the leaves.
std::vector<SwitchId> find_up_down_roots(const Fabric& fabric);

}  // namespace pssp
