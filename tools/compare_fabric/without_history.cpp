// Replaces recorded_topology.cpp in a build without the monitor, which cannot read its database.

#include "tools/compare_fabric/recorded_topology.h"
#include "tools/kit/without_monitor.h"

namespace pssp {

RecordedTopology recorded_topology(const std::string&, const std::string&) { refuse_database(); }

}  // namespace pssp
