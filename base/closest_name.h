#pragma once

// "Did you mean": the known name that a misspelt one is nearest to.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// Levenshtein distance: single letters to insert, remove or replace. O(product of the sizes).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The first of the known names that are nearest to `name`, regardless of case; empty when more
/// than a third of its letters (but two at least) would have to change. Valid as long as `known`.
std::string_view closest_name(std::string_view name, std::span<const std::string_view> known);

/// "; did you mean NAME?", or nothing where no name is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

}  // namespace pssp
