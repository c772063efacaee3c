#pragma once

// The cables of links that are down, out of the history.

#include <filesystem>
#include <map>
#include <vector>

#include "monitor/counters/incident.h"

namespace pssp {

/// By port of a standing verdict on a link that is down, the other end that the cable had in the
/// newest map in which the port had a cable. Looks at the newest 200 maps; ports without a cable in
/// these maps, and all ports if the history cannot be read, are left out.
std::map<PortKey, IncidentPort> stored_peers(const std::filesystem::path& database,
                                             const std::vector<VerdictRecord>& standing);

}  // namespace pssp
