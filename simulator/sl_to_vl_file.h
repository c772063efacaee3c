#pragma once

// Reads the virtual lane of each service level, the same at every port, from a file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Sixteen numbers, the data lane (0 .. 14) of service levels 0 to 15, separated by blanks or ends
/// of lines; `#` begins a comment. `name` is the source in messages. O(text). Throws
/// Error(unreadable_input) with the line of an invalid word, or with the number of lanes found.
std::vector<std::uint8_t> parse_sl_to_vl(std::string_view text, const std::string& name);

/// The same for a file of at most 4096 bytes. Also throws the errors of read_file().
std::vector<std::uint8_t> read_sl_to_vl(const std::string& file);

}  // namespace pssp
