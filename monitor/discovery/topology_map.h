#pragma once

// The fabric as a file says, for places where subnet management packets are not allowed.

#include <string>

#include "fabric/formats/topology_file.h"
#include "monitor/discovery/found_fabric.h"

namespace pssp {

/// Of a topology file with LIDs (output of ibnetdiscover); ports that are cabled there count as
/// active. Throws Error(unreadable_input), also where the file has no LIDs.
DiscoveredFabric read_topology_map(const std::string& file);

/// The same of a topology that was read, with LIDs or without. Throws Error as FabricBuilder does.
DiscoveredFabric map_of_topology(TopologyFile topology);

}  // namespace pssp
