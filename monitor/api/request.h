#pragma once

// Requests and responses as values, so that everything except the sockets can be tested without
// sockets.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pssp {

struct ApiRequest {
  std::string method = "GET";
  std::string target;  ///< path and query as received
  bool accepts_gzip = false;
  bool accepts_openmetrics = false;
  std::string if_none_match;
  std::int64_t now_ns = 0;  ///< monotonic clock
  std::int64_t now_ms = 0;  ///< since 1970
};

struct ApiAnswer {
  int status = 200;
  std::string type = "application/json";
  std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
  std::vector<std::pair<std::string, std::string>> headers;  ///< besides type and length
};

/// A page that is compiled into the program.
struct StaticFile {
  std::string_view path, type;  ///< such as "/chart.js", "text/javascript"
  std::string_view content;
};

/// Why a request fails; the routes convert it to an error response.
struct ApiError {
  int status = 400;
  std::string message, hint;
};

/// {"error": {"kind", "message", "hint"}}. Both texts may contain any characters.
ApiAnswer error_answer(const ApiError& error);

}  // namespace pssp
