#pragma once

#include <string>

#include "congestion/parameters.h"
#include "simulator/traffic/traffic_file.h"

namespace pssp {

/// The unchanged set of a file, or a profile with the table of the traffic file if there is one.
/// Throws Error.
CongestionParameters set_for(const std::string& name, const TrafficFile& traffic);

}  // namespace pssp
