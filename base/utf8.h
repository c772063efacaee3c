#pragma once

// UTF-8, one character at a time, according to RFC 3629: no overlong forms, no surrogates, nothing
// beyond U+10FFFF.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pssp {

struct Utf8Character {
  std::size_t bytes = 1;  ///< length; 1 for an invalid byte
  std::uint32_t code = 0;
  bool valid = false;
};

/// The character at the beginning of `text`, which must not be empty; a single byte if it is
/// invalid.
Utf8Character first_utf8_character(std::string_view text);

/// U+0000 to U+001F, and U+007F to U+009F, some of which are equivalent to ESC [.
constexpr bool is_control_character(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

}  // namespace pssp
