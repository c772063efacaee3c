#pragma once

// The text of --printptrn, in the manner of ORCS.

#include <cstdint>
#include <span>
#include <string>

#include "base/file_io.h"
#include "evaluator/patterns/pattern.h"

namespace pssp {

/// Hands the flows of a level to `sink`, part by part, under a heading, a line each:
/// "    0 -> 1       |   H00000 -> H00001". `names` are those of the hosts that play the ranks.
/// `random` as of Pattern::write_level(). pattern_file.h reads it.
void print_level(const Pattern& pattern, std::uint32_t level, const RandomGenerator& random,
                 std::span<const std::string> names, const ContentSink& sink);

}  // namespace pssp
