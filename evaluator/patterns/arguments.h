#pragma once

// Parses the argument after the colon of "shift:3".

#include <cstdint>
#include <string_view>
#include <vector>

#include "evaluator/patterns/registry.h"

namespace pssp {

/// The argument as an integer in [low, high]. Throws Error(usage) otherwise; `what` names the
/// number in the message.
std::uint32_t whole_number_argument(const PatternSpec& request, std::string_view argument,
                                    std::string_view what, std::uint32_t low, std::uint32_t high);

/// The argument as the sizes of a torus that all ranks fill ("8x8x4"); the last dimension, whose
/// coordinate varies fastest, comes first in the result. Throws Error(usage) if it is invalid.
std::vector<std::uint32_t> torus_sizes_argument(const PatternSpec& request,
                                                std::string_view argument);

/// Throws Error(usage): "pattern 'X' MESSAGE".
[[noreturn]] void refuse_pattern(const PatternSpec& request, std::string_view message);

}  // namespace pssp
