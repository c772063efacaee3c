#pragma once

// Which virtual lane packets of a service level take at every port, as a file says it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Sixteen numbers, the data lane (0 .. 14) of service levels 0 to 15, with blanks or ends of lines
/// between them; `#` begins a comment. `name` is that of the source, for messages. O(text). Throws
/// Error(unreadable_input) with the line of a word that is no lane, or how many lanes there are.
std::vector<std::uint8_t> parse_sl_to_vl(std::string_view text, const std::string& name);

/// The same of a file of 4096 bytes at most. Throws as read_file() besides.
std::vector<std::uint8_t> read_sl_to_vl(const std::string& file);

}  // namespace pssp
