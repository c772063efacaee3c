#pragma once

// Traces: messages with their times, a line each.
//
//   # time  source  destination  bytes  [service level]
//   1.5us   H1      H2           4KiB
//   2us     "node 3 mlx5_0"  lid:17  1MiB  2

#include <string>
#include <string_view>
#include <vector>

#include "simulator/traffic/host_sets.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// Ascending by time; for equal times in the order of the lines. Throws Error(unreadable_input)
/// with name:line. O(size + messages log messages).
std::vector<TracedMessage> parse_trace(std::string_view text, std::string_view name,
                                       const HostSets& hosts);

}  // namespace pssp
