#pragma once

#include <string>

#include "congestion/parameters.h"
#include "simulator/traffic/traffic_file.h"

namespace pssp {

/// The set of a file as it is, or a profile, with the table of the traffic file where that has one.
/// Throws Error.
CongestionParameters set_for(const std::string& name, const TrafficFile& traffic);

}  // namespace pssp
