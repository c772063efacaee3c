#include "base/closest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pssp {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& each : lower) {
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string_view closest_name(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t longest = 64;  // longer texts resemble no name
  if (name.empty() || name.size() > longest) return {};
  const std::string wanted = lower_case(name);
  std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  std::string_view closest;
  for (const std::string_view each : known) {
    const std::size_t distance = edit_distance(wanted, lower_case(each));
    // Names in which all letters differ are not similar, even if they are short.
    if (distance >= least || distance >= std::max(wanted.size(), each.size())) continue;
    least = distance;
    closest = each;
  }
  return closest;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
  const std::string_view closest = closest_name(name, known);
  return closest.empty() ? std::string() : fmt::format("; did you mean {}?", closest);
}

}  // namespace pssp
