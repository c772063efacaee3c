#pragma once

// GOAL text as read and written by LogGOPSim's tools.
//
//   num_ranks 2
//   rank 0 {
//     l1: calc 1000 cpu 0          // nanoseconds
//     l2: send 100b to 1 tag 7 nic 0
//     l2 requires l1               /* l2 begins when l1 has ended; irequires: has begun */
//   }
//   rank 1 { recv 100b from 0 tag 7
//   }

#include <string>
#include <string_view>
#include <vector>

#include "applications/schedule/schedule.h"
#include "base/file_io.h"
#include "base/text_lines.h"

namespace pssp {

struct GoalText {
  std::vector<RankSchedule> ranks;
  std::vector<std::string> warnings;  ///< ranks that the file lacks and that do nothing
};

inline constexpr std::uint32_t most_goal_ranks = 1'000'000;

/// `name` stands for the file in messages. Throws Error(unreadable_input) with file:line for
/// invalid content. O(size).
GoalText parse_goal_text(std::string_view text, std::string_view name);
GoalText parse_goal_text(TextLines& lines);

/// Writes a schedule as text, from which parse_goal_text() gives the same schedule.
void write_goal_text(const Schedule& schedule, const ContentSink& sink);

}  // namespace pssp
