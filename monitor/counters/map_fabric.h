#pragma once

// Converts maps to fabrics, both new maps and maps of a database.

#include "monitor/counters/fabric_map.h"

namespace pssp {

/// Builds a Fabric from the nodes, cables, rates, names and LIDs of a map. Throws the errors of
/// FabricBuilder. O(nodes log nodes + ports).
Fabric fabric_of(const FabricMap& map);

}  // namespace pssp
