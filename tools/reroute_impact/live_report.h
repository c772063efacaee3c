#pragma once

// The output of reroute_impact --live.

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/reroute.h"
#include "monitor/counters/counter_set.h"

namespace pssp {

/// An increased error counter of a port.
struct CountedErrors {
  std::string port;  ///< "NAME[NUMBER]", without control characters
  Counter counter = Counter::transmit_discards;
  std::uint64_t count = 0;
};

/// The report of one reroute.
struct LiveReroute {
  std::int64_t time_ms = 0;  ///< wall clock of its first sign
  bool is_over = true;       ///< otherwise watching ended earlier
  Instability instability;
  SeenReroute seen;
  RerouteImpact impact;
  std::vector<CountedErrors> errors;
  bool errors_known = false;
};

/// The report of the whole run.
struct LiveReport {
  double watched_s = 0;
  std::size_t switches = 0, blocks = 0;
  WatchResolution resolution;
  std::uint64_t mads = 0;
  std::vector<LiveReroute> reroutes;
};

/// One line per block, with the time since `start_ns`; of many simultaneous blocks the first ones,
/// and the number of the others. `map` contains the names.
std::string changes_text(const std::vector<ChangedBlock>& changes, const FabricMap& map,
                         std::int64_t start_ns);
std::string reroute_text(const LiveReroute& reroute);
/// The last line: the precision of the times.
std::string resolution_text(const LiveReport& report);
std::string live_json(const LiveReport& report);

}  // namespace pssp
