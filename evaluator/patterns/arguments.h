#pragma once

// What stands behind the colon of "shift:3".

#include <cstdint>
#include <string_view>

#include "evaluator/patterns/registry.h"

namespace pssp {

/// The argument as a whole number in [low, high]. Throws Error(usage) when it is none; `what` says
/// in the message what the number means.
std::uint32_t whole_number_argument(const PatternSpec& request, std::string_view argument,
                                    std::string_view what, std::uint32_t low, std::uint32_t high);

/// Throws Error(usage): "pattern 'X' MESSAGE".
[[noreturn]] void refuse_pattern(const PatternSpec& request, std::string_view message);

}  // namespace pssp
