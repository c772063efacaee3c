#pragma once

// From a map to a Fabric, for maps that were just discovered and for those of a database alike.

#include "monitor/counters/fabric_map.h"

namespace pssp {

/// What FabricBuilder makes of the nodes, cables, rates, names and LIDs of a map. Throws Error as
/// FabricBuilder does. O(nodes log nodes + ports).
Fabric fabric_of(const FabricMap& map);

}  // namespace pssp
