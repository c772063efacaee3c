#include "base/printable.h"

#include <cstdint>

#include "base/utf8.h"

namespace pssp {

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_utf8_character(text);
    if (!character.valid) {
      result += '?';
    } else if (is_control_character(character.code)) {
      result += ' ';
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t max_displayed = 60;
  if (text.size() <= max_displayed) return printable(text);
  // Not within a character.
  std::size_t end = max_displayed;
  while (end > max_displayed - 4 && static_cast<std::uint8_t>(text[end]) >> 6 == 0x02) --end;
  return printable(text.substr(0, end)) + "...";
}

}  // namespace pssp
