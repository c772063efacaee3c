#pragma once

// Words of HTTP that need no connection.

#include <string>

namespace pssp {

/// "http://host/path" is as good as "/path" (RFC 9112, 3.2.2).
std::string own_target(std::string target);

/// "Not Found" for 404; of numbers that this program does not send what 503 is called.
const char* reason_phrase(int status);

}  // namespace pssp
