#pragma once

// Words of HTTP that need no connection.

#include <string>
#include <string_view>

namespace pssp {

/// "http://host/path" is as good as "/path" (RFC 9112, 3.2.2).
std::string own_target(std::string target);

/// Does a list of Accept or Accept-Encoding name this word, and not with the weight 0 (RFC 9110,
/// 12.4.2)? Upper case is lower case.
bool accepts(std::string_view list, std::string_view word);

/// Is there a line feed that no carriage return stands before? `last` is the byte before the text,
/// and the last of the text after the call; 0 where there is none.
bool has_bare_line_feed(std::string_view text, char& last) noexcept;

/// "Not Found" for 404; of numbers that this program does not send what 503 is called.
const char* reason_phrase(int status);

}  // namespace pssp
