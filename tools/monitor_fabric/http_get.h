#pragma once

// Sends a request to a monitor on this or another machine.

#include <cstddef>
#include <string>

namespace pssp {

struct HttpReply {
  int status = 0;
  std::string body;
};

/// `server`: "http://HOST[:PORT]", "HOST:PORT" or "unix:PATH"; `target` begins with a slash. A
/// nonempty token is sent as Bearer. Throws Error(usage) for an invalid server, and
/// Error(unreadable_input) without a complete answer within `timeout_s`, or if it exceeds 64 MiB.
/// Name resolution is not part of that time.
HttpReply http_get(const std::string& server, const std::string& target, const std::string& token,
                   double timeout_s);

/// Escapes everything except letters, digits and - . _ ~ as %XX (RFC 3986).
std::string percent_encoded(const std::string& text);

}  // namespace pssp
