#pragma once

// A fabric as the monitor saw it at some time.

#include <string>

#include "fabric/formats/topology_file.h"

namespace pssp {

struct RecordedTopology {
  std::string name;       ///< "fabric.sqlite at 2026-01-31T12:00:00Z"
  TopologyFile topology;  ///< a warning where the history begins later than that time
};

/// The newest topology of the monitor's database `file` that was not younger than `time`
/// (base/utc_time.h), the oldest where all are younger. Throws Error(usage) for what is no time, or
/// in a build without the monitor (without_history.cpp); Error(unreadable_input) for what is no
/// database, or has no topology that is a fabric.
RecordedTopology recorded_topology(const std::string& file, const std::string& time);

}  // namespace pssp
