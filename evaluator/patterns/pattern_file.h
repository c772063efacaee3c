#pragma once

// Pattern `file:PATH`: levels of rank pairs from a file.
//
//   # comment
//   level            begins a level; may be left out before the first one
//   0 1              one flow a line: source and destination
//   2 -> 3           an arrow between them is allowed
//   level
//   1 -> 0  | H1 -> H0    what follows a bar or a # is passed over
//   3 -> 1  | 4096 bytes  but for the bytes of a flow, which reroute_impact counts
//
// The output of --printptrn, ours and that of ORCS, is such a file as well.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "evaluator/patterns/registry.h"

namespace pssp {

/// Flows of all levels, one after the other.
struct PatternLevels {
  std::vector<Flow> flows;
  std::vector<std::uint64_t> bytes;   ///< of each flow; 1 if the file does not specify them
  std::vector<std::size_t> first{0};  ///< level l is flows[first[l]] .. flows[first[l + 1] - 1]
};

/// `name` stands for the file in messages. Every level must have a flow, every rank be below
/// `ranks`. Throws Error(unreadable_input) with file:line. O(size).
PatternLevels parse_pattern_levels(std::string_view text, std::string_view name,
                                   std::uint32_t ranks);

extern const PatternDescription file_pattern;

}  // namespace pssp
