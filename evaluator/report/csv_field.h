#pragma once

// Text in comma-separated values (RFC 4180).

#include <string>
#include <string_view>

namespace pssp {

/// The text as one field: in double quotes, with its own doubled, where it has a comma, a quote or
/// a line end in it.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace pssp
