#pragma once

// "Did you mean": the known name that is most similar to a misspelled one.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// Levenshtein distance: number of inserted, removed or replaced letters. O(product of the sizes).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The first of the known names that are most similar to `name`, ignoring case; empty if more than
/// a third of its letters (at least two) would have to change. Valid as long as `known`.
std::string_view closest_name(std::string_view name, std::span<const std::string_view> known);

/// "; did you mean NAME?", or empty if no name is similar.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

}  // namespace pssp
