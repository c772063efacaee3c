#include "evaluator/pictures/graphviz_text.h"

#include <cstdint>

// Three layers of syntax. In a quoted string of dot, only \" is special (a quote). The attribute's
// value is an "escString": \N stands for the node's name, \n and \l break the line, \\ is a
// backslash. Finally, entities such as &amp; are replaced, as in HTML.

namespace pssp {
namespace {

/// Bytes of the valid UTF-8 character at the front of `text`; 0 if there is none (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool too_large = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// Appends each character as `escaped` maps it: a function from an ASCII character to its
/// replacement, null for characters that stay.
template <class Escaped>
std::string translated(std::string_view text, const Escaped& escaped) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length <= 1) {
      const char c = length == 0 ? '?' : text.front();
      if (const char* const stand_in = escaped(c)) {
        result += stand_in;
      } else {
        result += static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? ' ' : c;
      }
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result;
}

std::string quoted(std::string_view text, const char* backslash) {
  return '"' +
         translated(text,
                    [backslash](char c) -> const char* {
                      switch (c) {
                        case '"':
                          return "\\\"";
                        case '\\':
                          return backslash;
                        case '&':
                          return "&amp;";
                        case '\n':
                          return "\\n";
                        default:
                          return nullptr;
                      }
                    }) +
         '"';
}

}  // namespace

std::string dot_label(std::string_view text) { return quoted(text, "\\\\"); }

std::string dot_tooltip(std::string_view text) { return quoted(text, R"(\\\\)"); }

std::string html_text(std::string_view text) {
  return translated(text, [](char c) -> const char* {
    switch (c) {
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '&':
        return "&amp;";
      case '"':
        return "&quot;";
      case '\\':
        return "\\\\";
      default:
        return nullptr;
    }
  });
}

}  // namespace pssp
