#pragma once

// The fabric from a file, for sites that do not permit subnet management packets.

#include <string>

#include "fabric/formats/topology_file.h"
#include "monitor/discovery/found_fabric.h"

namespace pssp {

/// For a topology file with LIDs (output of ibnetdiscover); ports with cables count as active.
/// Throws Error(unreadable_input), also if the file has no LIDs.
DiscoveredFabric read_topology_map(const std::string& file);

/// The same for a parsed topology, with or without LIDs. Throws the errors of FabricBuilder.
DiscoveredFabric map_of_topology(TopologyFile topology);

}  // namespace pssp
