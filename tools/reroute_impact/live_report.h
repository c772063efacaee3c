#pragma once

// What reroute_impact --live says.

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/reroute.h"
#include "monitor/counters/counter_set.h"

namespace pssp {

/// An error counter of a port that counted.
struct CountedErrors {
  std::string port;  ///< "NAME[NUMBER]", clean
  Counter counter = Counter::transmit_discards;
  std::uint64_t count = 0;
};

/// What is said of one reroute.
struct LiveReroute {
  std::int64_t time_ms = 0;  ///< wall clock of its first sign
  bool is_over = true;       ///< else the watching ended before it did
  Instability instability;
  SeenReroute seen;
  RerouteImpact impact;
  std::vector<CountedErrors> errors;
  bool errors_known = false;
};

/// All of a watching.
struct LiveReport {
  double watched_s = 0;
  std::size_t switches = 0, blocks = 0;
  WatchResolution resolution;
  std::uint64_t mads = 0;
  std::vector<LiveReroute> reroutes;
};

/// A line for each block, by the time since `start_ns`; of many at once the first ones, and how
/// many more there were. `map` has their names.
std::string changes_text(const std::vector<ChangedBlock>& changes, const FabricMap& map,
                         std::int64_t start_ns);
std::string reroute_text(const LiveReroute& reroute);
/// The last line: how exact it all is.
std::string resolution_text(const LiveReport& report);
std::string live_json(const LiveReport& report);

}  // namespace pssp
