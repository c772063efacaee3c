#pragma once

// Why do ports wait for credits? The ports that wait, grouped by the links that fill up.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "monitor/analysis/running_job.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/incident.h"

namespace pssp {

/// What the search for a cause ends at. The better known causes come first.
enum class CongestionCause : std::uint8_t { links_to_switch, links_to_hosts, slow_host, unknown };

/// What was known of congestion in earlier sweeps: a verdict on waiting is for a window of time,
/// and the links that caused it may be idle before the window ends.
struct CongestionMemory {
  struct Root {
    Guid node = 0;
    CongestionCause cause = CongestionCause::unknown;
  };
  struct Traffic {
    std::vector<PortKey> saturated;
    std::string job;
    double job_share = 0;
  };
  std::map<PortKey, Root> roots;    ///< by waiting port
  std::map<Guid, Traffic> traffic;  ///< by the node of a root, while its links were saturated
};

/// Groups the standing verdicts on transmit_wait. From a waiting port the search follows the cable
/// to the next switch, and there a saturated link (utilisation above UseLimits::hot), else the port
/// that waits most, until it meets a saturated link or a host that accepts packets too slowly.
/// Ports whose search ends at the same switch (or slow host) are one group, those without a result
/// another. A port keeps a cause that was found in an earlier sweep until a better known one is
/// found. `differences` are those of the last sweep, by port of the map; `memory` is that of the
/// earlier calls. O(waiting ports * ports of a switch * hops).
std::vector<CongestionGroup> congestion_groups(const FabricMap& map,
                                               const std::vector<PortDifference>& differences,
                                               const std::vector<StandingVerdict>& standing,
                                               const std::vector<RunningJob>& jobs,
                                               CongestionMemory& memory);

}  // namespace pssp
