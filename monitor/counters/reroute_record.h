#pragma once

// A change of forwarding tables, in numbers: as the history keeps it and pages show it.

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// A job of which flows moved. Flows are one from each of its ports to each other.
struct JobRerouteRecord {
  std::string id;  ///< the scheduler's; hostile
  std::uint64_t flows = 0, moved = 0, longer = 0, lost = 0;
  friend bool operator==(const JobRerouteRecord&, const JobRerouteRecord&) = default;
};

/// Times are of the wall clock since 1970. They are seen through readings of the tables: what
/// began, began between two of them.
struct RerouteRecord {
  std::int64_t begin_ms = 0;  ///< the first sign of it: another cabling, or the last old reading
  std::int64_t end_ms = 0;    ///< the reading that saw the last block change
  std::uint64_t entries = 0, blocks = 0, switches = 0;
  /// Of pairs of hosts; all 0 with `problem`.
  std::uint64_t flows = 0, moved = 0, longer = 0, lost = 0, gained = 0;
  std::uint64_t no_route = 0, loop = 0;       ///< at some reading, and not in the end
  std::int64_t no_route_ms = 0, loop_ms = 0;  ///< the longest time of a flow
  std::string problem;                        ///< why flows are not known; empty: they are
  std::vector<JobRerouteRecord> jobs;
  friend bool operator==(const RerouteRecord&, const RerouteRecord&) = default;
};

}  // namespace pssp
