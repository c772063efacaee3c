#pragma once

// A play as a picture: what ranks did when, and the critical path.

#include <cstddef>
#include <string>

#include "applications/measure/critical_path.h"
#include "applications/replay/replay_record.h"
#include "applications/schedule/schedule.h"

namespace pssp {

inline constexpr std::size_t most_drawn_ranks = 64;
inline constexpr std::size_t most_drawn_messages = 20'000;

/// A script of gnuplot with its data. Of more ranks than can be drawn those of the path, the last
/// of it first, then those that they exchange messages with, then the first others; messages
/// between drawn ranks, of too many the longest under way. `format`: svg or png.
std::string timeline_script(const Schedule& schedule, const ReplayRecord& record,
                            const CriticalPath& path, const std::string& title,
                            const std::string& format);

}  // namespace pssp
