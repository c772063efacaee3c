#include "base/untrusted_text.h"

#include <fmt/format.h>

#include "base/csv_rows.h"
#include "base/utf8.h"

namespace pssp {
namespace {

/// Marks, embeddings, overrides and isolates of the Unicode bidirectional algorithm.
bool turns_direction(std::uint32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool separates_lines(std::uint32_t code) { return code == 0x2028 || code == 0x2029; }

}  // namespace

std::string untrusted_text(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_utf8_character(text);
    const std::uint32_t code = character.code;
    if (!character.valid) {
      result += "\uFFFD";
    } else if (code == '\\') {
      result += "\\\\";
    } else if (is_control_character(code) || turns_direction(code) || separates_lines(code)) {
      result += fmt::format("\\u{{{:x}}}", code);
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string csv_text(std::string_view text) { return spreadsheet_csv_field(untrusted_text(text)); }

}  // namespace pssp
