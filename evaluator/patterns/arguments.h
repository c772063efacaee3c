#pragma once

// What stands behind the colon of "shift:3".

#include <cstdint>
#include <string_view>
#include <vector>

#include "evaluator/patterns/registry.h"

namespace pssp {

/// The argument as a whole number in [low, high]. Throws Error(usage) when it is none; `what` says
/// in the message what the number means.
std::uint32_t whole_number_argument(const PatternSpec& request, std::string_view argument,
                                    std::string_view what, std::uint32_t low, std::uint32_t high);

/// The argument as the sizes of a torus that all ranks fill ("8x8x4"); the one whose coordinate
/// counts fastest, which stands last, comes first. Throws Error(usage) when it is none.
std::vector<std::uint32_t> torus_sizes_argument(const PatternSpec& request,
                                                std::string_view argument);

/// Throws Error(usage): "pattern 'X' MESSAGE".
[[noreturn]] void refuse_pattern(const PatternSpec& request, std::string_view message);

}  // namespace pssp
