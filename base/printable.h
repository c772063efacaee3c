#pragma once

// Untrusted text from files and command lines in messages must not control the terminal or log.

#include <string>
#include <string_view>

namespace pssp {

/// Replaces control characters (including U+0080 to U+009F, some of which are equivalent to ESC [)
/// by blanks, and bytes that are not UTF-8 by '?'.
std::string printable(std::string_view text);

/// The same, shortened to 60 bytes and "...".
std::string excerpt(std::string_view text);

}  // namespace pssp
