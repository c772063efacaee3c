#pragma once

// Text from files and command lines in messages: what is not ours must not command the terminal or
// the log that shows it.

#include <string>
#include <string_view>

namespace pssp {

/// Control characters (also those of U+0080 to U+009F, of which some are what ESC [ is) replaced by
/// blanks, bytes that are no UTF-8 by '?'. Other text stays as it is.
std::string printable(std::string_view text);

/// The same of text that is shortened to 60 bytes and "...".
std::string excerpt(std::string_view text);

}  // namespace pssp
