#pragma once

// Functions for HTTP texts that need no connection.

#include <string>
#include <string_view>

namespace pssp {

/// Converts "http://host/path" to "/path" (RFC 9112, 3.2.2).
std::string own_target(std::string target);

/// True if a list of Accept or Accept-Encoding contains this word with a weight other than 0 (RFC
/// 9110, 12.4.2). Ignores case.
bool accepts(std::string_view list, std::string_view word);

/// True if a line feed is not preceded by a carriage return. `last` is the byte before the text,
/// and after the call the last byte of the text; 0 if there is none.
bool has_bare_line_feed(std::string_view text, char& last) noexcept;

/// "Not Found" for 404; the phrase of 503 for numbers that this program does not send.
const char* reason_phrase(int status);

}  // namespace pssp
