#pragma once

// Keys of a fabric (CC_Key, M_Key): numbers that are said on the command line or, so that ps does
// not show them, in the first line of a file.

#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

/// Decimal, or hexadecimal after 0x. `name` ("CC_Key") and `where` are for the message, the key
/// itself is in none. Throws Error(usage).
std::uint64_t read_key(std::string_view text, std::string_view name, std::string_view where);
/// Throws Error(usage), Error(unreadable_input).
std::uint64_t read_key_file(const std::string& file, std::string_view name);

}  // namespace pssp
