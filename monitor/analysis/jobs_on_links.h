#pragma once

// Finds the running jobs that send packets over a link, from the forwarding tables.

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/running_job.h"
#include "monitor/discovery/live_tables.h"

namespace pssp {

/// Ids of the jobs that have a path between two of their hosts over the cable of `port`, in either
/// direction, in the order of `jobs`. The cable of a host carries all jobs of that host; without
/// `tables` (may be null) only these are known. O(hosts * leaves * hops) of a job at worst.
std::vector<std::string> jobs_on_cable(const FabricMap& map, std::uint32_t port,
                                       const LiveTables* tables,
                                       const std::vector<RunningJob>& jobs);

}  // namespace pssp
