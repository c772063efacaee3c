#pragma once

// Reads the topology at some time from the monitor's database.

#include <string>

#include "fabric/formats/topology_file.h"

namespace pssp {

struct RecordedTopology {
  std::string name;       ///< "fabric.sqlite at 2026-01-31T12:00:00Z"
  TopologyFile topology;  ///< with a warning if the history begins later
};

/// The newest topology of the monitor's database `file` that is not newer than `time`
/// (base/utc_time.h), or the oldest if all are newer. Throws Error(usage) for an invalid time, or
/// in a build without the monitor (without_history.cpp); Error(unreadable_input) if the file is no
/// database, or has no topology that is a fabric.
RecordedTopology recorded_topology(const std::string& file, const std::string& time);

}  // namespace pssp
