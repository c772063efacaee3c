#include "evaluator/patterns/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text_lines.h"

namespace pssp {

std::uint32_t whole_number_argument(const PatternSpec& request, std::string_view argument,
                                    std::string_view what, std::uint32_t low, std::uint32_t high) {
  std::string_view rest = argument;
  const auto number = take_number(rest);
  if (!number || !rest.empty() || *number < low || *number > high) {
    refuse_pattern(request, fmt::format("has '{}' for {}; expected a whole number, {} .. {}",
                                        excerpt(argument), what, low, high));
  }
  return static_cast<std::uint32_t>(*number);
}

std::vector<std::uint32_t> torus_sizes_argument(const PatternSpec& request,
                                                std::string_view argument) {
  std::vector<std::uint32_t> sizes;
  std::uint64_t product = 1;
  for (std::string_view rest = argument;; rest.remove_prefix(1)) {
    const auto size = take_number(rest);
    const bool more = rest.starts_with('x');
    if (!size || *size == 0 || (!more && !rest.empty())) {
      refuse_pattern(request, fmt::format("has '{}' for the sizes of a torus; expected whole "
                                          "numbers, e.g. 8x8x4",
                                          excerpt(argument)));
    }
    if (*size > request.ranks || (product *= *size) > request.ranks) break;
    sizes.push_back(static_cast<std::uint32_t>(*size));
    if (!more) break;
  }
  if (product != request.ranks) {
    refuse_pattern(request,
                   fmt::format("describes a torus that does not have {} ranks", request.ranks));
  }
  std::ranges::reverse(sizes);
  return sizes;
}

void refuse_pattern(const PatternSpec& request, std::string_view message) {
  throw Error(ErrorKind::usage, fmt::format("pattern '{}' {}", excerpt(request.pattern), message));
}

}  // namespace pssp
