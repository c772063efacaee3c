// UTF-8 is read as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.

#include "base/shown.h"

#include <cstdint>

namespace pssp {
namespace {

struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

/// How many bytes follow a first one, and the least code that so many are for.
struct Form {
  std::size_t following;
  std::uint32_t bits, least;
};

constexpr Form no_form{0, 0, 0x110000};

Form form_of(std::uint8_t first) {
  if (first < 0x80) return {0, first, 0};
  if (first >> 5 == 0x06) return {1, first & 0x1FU, 0x80};
  if (first >> 4 == 0x0E) return {2, first & 0x0FU, 0x800};
  if (first >> 3 == 0x1E) return {3, first & 0x07U, 0x10000};
  return no_form;
}

/// The character at the beginning of `text`, which is not empty; one byte of what is none.
Character first_character(std::string_view text) {
  const Form form = form_of(static_cast<std::uint8_t>(text.front()));
  if (text.size() <= form.following) return {};
  std::uint32_t code = form.bits;
  for (std::size_t i = 1; i <= form.following; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte >> 6 != 0x02) return {};
    code = code << 6 | (byte & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < form.least || code > 0x10FFFF || surrogate) return {};
  return {1 + form.following, code, true};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code <= 0x9F); }

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.valid) {
      result += '?';
    } else if (is_control(character.code)) {
      result += ' ';
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t max_shown = 60;
  if (text.size() <= max_shown) return printable(text);
  // Not within a character.
  std::size_t end = max_shown;
  while (end > max_shown - 4 && static_cast<std::uint8_t>(text[end]) >> 6 == 0x02) --end;
  return printable(text.substr(0, end)) + "...";
}

}  // namespace pssp
