#pragma once

// Globs that select hosts and flows.

#include <string_view>

namespace pssp {

/// Whether the whole text matches a glob with '*' (any text) and '?' (any character). Worst case
/// O(text * glob).
bool fits_glob(std::string_view text, std::string_view glob) noexcept;

}  // namespace pssp
