#pragma once

// What decided how long a play took: from its last operation backwards, always to what was waited
// for last.

#include <cstdint>
#include <vector>

#include "applications/replay/replay_record.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

/// What a part of the path was spent with.
enum class PathPart : std::uint8_t {
  computing,
  overhead,    ///< o and O of sends and receives, and gaps behind a send
  latency,     ///< L, links and switches: of data, of envelopes and their answers
  wire,        ///< what data would have taken alone on its links
  congestion,  ///< what it took more
  waiting,     ///< for the start of the rank
};
inline constexpr std::size_t path_part_count = 6;

struct PathSegment {
  std::uint32_t operation = 0;  ///< of a message its send
  PathPart part = PathPart::computing;
  ReplayTime begin = 0, end = 0;
};

struct CriticalPath {
  std::vector<PathSegment> segments;  ///< in order of time, each from the end of the one before
  /// Sum of each part; together the time of the last operation.
  std::vector<ReplayTime> parts = std::vector<ReplayTime>(path_part_count);
  std::vector<std::uint32_t> messages;  ///< sends whose data is part of it, in order
};

/// Of a play that ended and recorded; a path that begins at 0. O(segments). Empty where the
/// schedule has no operation.
CriticalPath critical_path(const Schedule& schedule, const ReplayRecord& record);

}  // namespace pssp
