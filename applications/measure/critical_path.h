#pragma once

// The critical path of a simulated schedule: from its last operation backwards, always to the last
// precondition.

#include <cstdint>
#include <vector>

#include "applications/replay/replay_record.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

/// The type of a segment of the path.
enum class PathPart : std::uint8_t {
  computing,
  overhead,    ///< o and O of sends and receives, and gaps after a send
  latency,     ///< L, links and switches: for data, envelopes and replies
  wire,        ///< transfer time of data alone on its links
  congestion,  ///< additional transfer time
  waiting,     ///< for the start of the rank
};
inline constexpr std::size_t path_part_count = 6;

struct PathSegment {
  std::uint32_t operation = 0;  ///< for messages the send
  PathPart part = PathPart::computing;
  ReplayTime begin = 0, end = 0;
};

struct CriticalPath {
  std::vector<PathSegment> segments;  ///< in chronological order, contiguous
  /// Sum by type; the total is the time of the last operation.
  std::vector<ReplayTime> parts = std::vector<ReplayTime>(path_part_count);
  std::vector<std::uint32_t> messages;  ///< sends whose data is on the path, in order
};

/// For a completed and recorded simulation. The path begins at 0; it is empty if the schedule has
/// no operation. O(segments).
CriticalPath critical_path(const Schedule& schedule, const ReplayRecord& record);

}  // namespace pssp
