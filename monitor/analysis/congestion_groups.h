#pragma once

// Finds out why ports wait for credits: groups the waiting ports by the links that are saturated.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "monitor/analysis/running_job.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/incident.h"

namespace pssp {

/// The kind of root at which a search ends. The better known causes come first.
enum class CongestionCause : std::uint8_t { links_to_switch, links_to_hosts, slow_host, unknown };

/// Causes found in earlier sweeps. A verdict on waiting covers a window of time, and the links that
/// caused the waiting may be idle before the window ends.
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
  std::map<Guid, Traffic> traffic;  ///< by the node of a root: traffic while its links were
                                    ///< saturated
};

/// Groups the standing verdicts on transmit_wait. The search starts at a waiting port and follows
/// the cable to the next switch. There it takes a saturated link (utilization above
/// UseLimits::hot), or else the port that waits most. It ends at a saturated link, or at a host
/// that accepts packets too slowly. Ports whose search ends at the same switch (or slow host) form
/// one group; ports without a result form another. A port keeps the cause found in an earlier sweep
/// until a better known one is found. `differences` are those of the last sweep, by port of the
/// map; `memory` is kept from call to call. O(waiting ports * ports of a switch * hops).
std::vector<CongestionGroup> congestion_groups(const FabricMap& map,
                                               const std::vector<PortDifference>& differences,
                                               const std::vector<StandingVerdict>& standing,
                                               const std::vector<RunningJob>& jobs,
                                               CongestionMemory& memory);

}  // namespace pssp
