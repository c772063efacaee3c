// Names can contain colons, models cannot.

#include "fabric/formats/chassis_name.h"

#include "base/text_lines.h"

namespace pssp {
namespace {

/// "U1", "L16": the letter in lower case, and the number.
std::optional<unsigned> take_part(std::string_view& text, char letter) {
  if (text.empty() || (text.front() | 0x20) != letter) return std::nullopt;
  text.remove_prefix(1);
  const auto number = take_number(text);
  if (!number || *number > 9999) return std::nullopt;
  return static_cast<unsigned>(*number);
}

}  // namespace

std::optional<ChassisName> parse_chassis_name(std::string_view description) {
  if (!take(description, "MF0;")) return std::nullopt;
  const std::size_t slash = description.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::size_t colon = description.rfind(':', slash);
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  ChassisName name{std::string(description.substr(0, colon)), 0, 0, 1};
  std::string_view parts = description.substr(slash + 1);
  for (const char board : {'l', 's'}) {
    const auto slot = take_part(parts, board);
    if (!slot) continue;
    if (!take(parts, "/")) return std::nullopt;
    name.board = board;
    name.slot = *slot;
  }
  const auto chip = take_part(parts, 'u');
  if (!chip || !trimmed(parts).empty()) return std::nullopt;
  name.chip = *chip;
  return name;
}

}  // namespace pssp
