#pragma once

// Globs, by which hosts and flows are chosen.

#include <string_view>

namespace pssp {

/// Whether all of the text fits a glob of '*' (any text) and '?' (any one character).
/// O(text * glob) at worst.
bool fits_glob(std::string_view text, std::string_view glob) noexcept;

}  // namespace pssp
