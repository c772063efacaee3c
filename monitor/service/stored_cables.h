#pragma once

// The cables of links that are down, from the history.

#include <filesystem>
#include <map>
#include <vector>

#include "monitor/counters/incident.h"

namespace pssp {

/// For each port with a standing verdict on a link that is down: the other end of its cable in the
/// newest stored map in which the port has a cable. Reads at most the newest 200 maps. Leaves out
/// ports without a cable in these maps, and all ports if the history cannot be read.
std::map<PortKey, IncidentPort> stored_peers(const std::filesystem::path& database,
                                             const std::vector<VerdictRecord>& standing);

}  // namespace pssp
