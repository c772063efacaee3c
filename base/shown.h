#pragma once

// Text from files and command lines in messages: what is not ours must not command the terminal or
// the log that shows it.

#include <string>
#include <string_view>

namespace pssp {

/// Control characters replaced by blanks.
std::string printable(std::string_view text);

/// Likewise, and shortened to 60 bytes and "...".
std::string shown(std::string_view text);

}  // namespace pssp
