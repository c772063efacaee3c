#pragma once

// Asks a monitor of this or another machine.

#include <cstddef>
#include <string>

namespace pssp {

struct HttpReply {
  int status = 0;
  std::string body;
};

/// `server`: "http://HOST[:PORT]", "HOST:PORT" or "unix:PATH"; `target` begins with a slash. A
/// token that is not empty is sent as Bearer. Throws Error(usage) for a server that cannot be one,
/// Error(unreadable_input) where no one has answered whole within `timeout_s`, or with more than 64
/// MiB. Looking a name up is not part of that time.
HttpReply http_get(const std::string& server, const std::string& target, const std::string& token,
                   double timeout_s);

/// All but letters, digits and - . _ ~ as %XX (RFC 3986).
std::string percent_encoded(const std::string& text);

}  // namespace pssp
