// Parts of HTTP that the server library leaves to its caller: reason phrases, and request targets
// from proxies.

#include "monitor/server/http_tokens.h"

#include <algorithm>
#include <string_view>

#include "base/text_lines.h"

namespace pssp {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char one, char other) { return lower(one) == lower(other); });
}

/// The part before the separator; removes both from `text`.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = trimmed(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

/// True for "q=0", "q=0.0", "q=0.000".
bool is_weight_of_nothing(std::string_view parameter) {
  const std::string_view name = take_part(parameter, '=');
  return is_same_word(name, "q") && !parameter.empty() &&
         trimmed(parameter).find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

bool accepts(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    std::string_view parameters = take_part(list, ',');
    if (!is_same_word(take_part(parameters, ';'), word)) continue;
    while (!parameters.empty()) {
      if (is_weight_of_nothing(take_part(parameters, ';'))) return false;
    }
    return true;
  }
  return false;
}

bool has_bare_line_feed(std::string_view text, char& last) noexcept {
  for (const char c : text) {
    if (c == '\n' && last != '\r') return true;
    last = c;
  }
  return false;
}

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
