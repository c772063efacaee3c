#pragma once

// The figures of a change of forwarding tables, for the history and the pages.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// A job with moved flows. There is one flow from each of its ports to each other port.
struct JobRerouteRecord {
  std::string id;  ///< of the scheduler; untrusted
  std::uint64_t flows = 0, moved = 0, longer = 0, lost = 0;
  friend bool operator==(const JobRerouteRecord&, const JobRerouteRecord&) = default;
};

/// Times are wall clock times since 1970. Changes are seen between two readings of the tables, so
/// their times are approximate.
struct RerouteRecord {
  std::int64_t begin_ms = 0;  ///< the first sign: another cabling, or the last old reading
  std::int64_t end_ms = 0;    ///< the reading with the last changed block
  std::uint64_t entries = 0, blocks = 0, switches = 0;
  /// Pairs of hosts; all 0 if there is a `problem`.
  std::uint64_t flows = 0, moved = 0, longer = 0, lost = 0, gained = 0;
  std::uint64_t no_route = 0, loop = 0;       ///< at some reading, but not at the end
  std::int64_t no_route_ms = 0, loop_ms = 0;  ///< the longest time of any flow
  std::string problem;  ///< the reason why flows are unknown; empty: flows are known
  std::vector<JobRerouteRecord> jobs;
  friend bool operator==(const RerouteRecord&, const RerouteRecord&) = default;
};

/// The number of jobs with at least one pair of hosts that has no path any more.
inline std::size_t jobs_with_lost_paths(const RerouteRecord& record) {
  return static_cast<std::size_t>(std::ranges::count_if(
      record.jobs, [](const JobRerouteRecord& job) { return job.lost != 0; }));
}

}  // namespace pssp
