#pragma once

// The text of --printptrn, in the format of ORCS.

#include <cstdint>
#include <span>
#include <string>

#include "base/file_io.h"
#include "evaluator/patterns/pattern.h"

namespace pssp {

/// Passes the flows of a level to `sink`, part by part, under a heading, one per line:
/// "    0 -> 1       |   H00000 -> H00001". `names` are those of the hosts by rank. `random` as in
/// Pattern::write_level(). pattern_file.h reads the text.
void print_level(const Pattern& pattern, std::uint32_t level, const RandomGenerator& random,
                 std::span<const std::string> names, const ContentSink& sink);

}  // namespace pssp
