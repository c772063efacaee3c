#pragma once

// Text in comma-separated values (RFC 4180).

#include <string>
#include <string_view>

#include "base/shown.h"

namespace pssp {

/// A name or description as one field: in double quotes, with its own doubled, where it has a comma
/// or a quote in it. Nothing in it commands a terminal, nor a spreadsheet, which takes what begins
/// with '=', '+', '-' or '@' for a formula: an apostrophe stands before that.
inline std::string csv_field(std::string_view name) {
  constexpr std::string_view formula = "=+-@";
  std::string text = printable(name);
  if (!text.empty() && formula.find(text.front()) != std::string_view::npos)
    text.insert(0, 1, '\'');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace pssp
