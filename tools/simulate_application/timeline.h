#pragma once

// A picture of a simulated schedule: the activity of ranks, and the critical path.

#include <cstddef>
#include <string>

#include "applications/measure/critical_path.h"
#include "applications/replay/replay_record.h"
#include "applications/schedule/schedule.h"

namespace pssp {

inline constexpr std::size_t most_drawn_ranks = 64;
inline constexpr std::size_t most_drawn_messages = 20'000;

/// A gnuplot script including its data. If there are too many ranks, draws those of the path (its
/// end first), then their communication partners, then the first others; if there are too many
/// messages between drawn ranks, the longest ones. `format`: svg or png.
std::string timeline_script(const Schedule& schedule, const ReplayRecord& record,
                            const CriticalPath& path, const std::string& title,
                            const std::string& format);

}  // namespace pssp
