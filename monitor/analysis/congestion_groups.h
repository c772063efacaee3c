#pragma once

// Why do ports wait for credits? The ports that wait, grouped by the links that fill up.

#include <string_view>
#include <vector>

#include "monitor/analysis/running_job.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/incident.h"

namespace pssp {

/// Groups the standing verdicts on transmit_wait. From a waiting port the search follows the cable
/// to the next switch, and there a saturated link (utilisation above UseLimits::hot), else the port
/// that waits most, until it meets a saturated link or a host that accepts packets too slowly.
/// Ports whose search ends at the same switch (or slow host) are one group, those without a result
/// another. `differences` are those of the last sweep, by port of the map. O(waiting ports * ports
/// of a switch * hops).
std::vector<CongestionGroup> congestion_groups(const FabricMap& map,
                                               const std::vector<PortDifference>& differences,
                                               const std::vector<StandingVerdict>& standing,
                                               const std::vector<RunningJob>& jobs);

}  // namespace pssp
