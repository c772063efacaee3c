#pragma once

// GOAL as LogGOPSim's txt2bin writes it: little-endian, packed.
//
//   offset     bytes   what
//   0          8       4223; 2342: a file that LogGOPSim has used up
//   8          4,1,1   ranks, largest processor, largest adapter
//   14         16      of each rank: begin and end of its part, counted from byte 8
//   part       4,4,4r  operations n, roots r, the numbers of these
//              39 n    operations: dependencies (4), type (1: 1 send, 2 receive, 3 computation),
//                      peer (4), size or nanoseconds (8), tag (4), processor (1), adapter (1),
//                      successors by end: number, first (4, 4), by begin: number, first (4, 4)
//              4 each  the successors, numbers of operations; `first` counts in this list

#include <string_view>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// Recognizes a file by its first bytes.
bool is_goal_binary(std::string_view first_bytes);

/// `name` stands for the file in messages. Throws Error(unreadable_input) with the byte for invalid
/// content: offsets outside the file, overlapping parts, contradictory counts, unknown types and
/// ranks. O(size).
std::vector<RankSchedule> parse_goal_binary(std::string_view bytes, std::string_view name);

}  // namespace pssp
