// What the server library leaves to its caller: which words go with a number, and what a proxy
// makes of an address.

#include "monitor/server/http_words.h"

#include <string_view>

namespace pssp {

std::string own_target(std::string target) {
  constexpr std::string_view scheme = "http://";
  if (target.compare(0, scheme.size(), scheme) != 0) return target;
  const std::size_t slash = target.find('/', scheme.size());
  return slash == std::string::npos ? "/" : target.substr(slash);
}

const char* reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 414:
      return "URI Too Long";
    case 429:
      return "Too Many Requests";
    default:
      return "Service Unavailable";
  }
}

}  // namespace pssp
