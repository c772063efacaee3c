#pragma once

// Finds the usual value among peers, the basis of all statements without a plan.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

inline constexpr std::size_t fewest_peers = 3;

/// The value that two thirds of the peers, and at least three, have.
template <class Value>
std::optional<Value> agreed(const std::map<Value, std::size_t>& counts) {
  std::size_t all = 0;
  for (const auto& [value, count] : counts) all += count;
  for (const auto& [value, count] : counts) {
    if (count >= fewest_peers && 3 * count >= 2 * all) return value;
  }
  return std::nullopt;
}

/// A name without its numbers: "a08-p1-dgx-04" and "a05-p1-dgx-02" both become "a#-p#-dgx-#".
/// O(size).
std::string kind_of_name(std::string_view name);

}  // namespace pssp
