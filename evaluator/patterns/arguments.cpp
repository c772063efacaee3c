#include "evaluator/patterns/arguments.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_lines.h"

namespace pssp {

std::uint32_t whole_number_argument(const PatternSpec& request, std::string_view argument,
                                    std::string_view what, std::uint32_t low, std::uint32_t high) {
  std::string_view rest = argument;
  const auto number = take_number(rest);
  if (!number || !rest.empty() || *number < low || *number > high) {
    refuse_pattern(request, fmt::format("has '{}' for {}; expected a whole number, {} .. {}",
                                        shown(argument), what, low, high));
  }
  return static_cast<std::uint32_t>(*number);
}

void refuse_pattern(const PatternSpec& request, std::string_view message) {
  throw Error(ErrorKind::usage, fmt::format("pattern '{}' {}", shown(request.pattern), message));
}

}  // namespace pssp
