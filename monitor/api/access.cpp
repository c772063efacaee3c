#include "monitor/api/access.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text_lines.h"

// The cookie contains a random text of this process and not the token, so it is worthless after a
// restart. Wrong tokens are counted by address: after ten in a minute, further wrong tokens get
// another error. Clients with the right token or a session are never refused. Behind a proxy or a
// Unix socket all clients have the same address, and a token of sixteen characters or more cannot
// be guessed.

namespace pssp {
namespace {

constexpr std::int64_t failure_window_ns = 60'000'000'000;
constexpr std::size_t most_failures = 10;
constexpr std::size_t most_addresses = 10'000;
constexpr std::string_view cookie_name = "pssp_session=", bearer = "Bearer ";

/// Removes the port from "name:80" and "[::1]:80".
std::string_view without_port(std::string_view host) {
  if (!host.empty() && host.front() == '[') return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

/// The value of the session cookie among all cookies of the request.
std::string_view session_of(std::string_view cookies) {
  while (!cookies.empty()) {
    const std::size_t end = cookies.find(';');
    std::string_view each = cookies.substr(0, end);
    cookies = end == std::string_view::npos ? std::string_view() : cookies.substr(end + 1);
    while (!each.empty() && each.front() == ' ') each.remove_prefix(1);
    if (each.substr(0, cookie_name.size()) == cookie_name) return each.substr(cookie_name.size());
  }
  return {};
}

bool is_open_to_all(std::string_view path) {
  constexpr std::array<std::string_view, 4> open{"/healthz", "/login.html", "/login.js",
                                                 "/style.css"};
  return std::find(open.begin(), open.end(), path) != open.end();
}

}  // namespace

bool same_secret(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return different == 0;
}

Access::Access(AccessRules rules, std::string session)
    : rules_(std::move(rules)), own_names_(rules_.hosts.size()), session_(std::move(session)) {
  for (const char* const loopback : {"localhost", "127.0.0.1", "[::1]"}) {
    rules_.hosts.emplace_back(loopback);
  }
  if (!rules_.address.empty()) rules_.hosts.push_back(rules_.address);
  for (std::string& host : rules_.hosts) host = lower_case(host);
}

bool Access::is_our_host(std::string_view host) const {
  const std::string name = lower_case(without_port(host));
  return std::find(rules_.hosts.begin(), rules_.hosts.end(), name) != rules_.hosts.end();
}

bool Access::has_token(const Credentials& who) const {
  if (same_secret(session_of(who.cookie), session_)) return true;
  const std::string_view given = who.authorization;
  return given.starts_with(bearer) && same_secret(given.substr(bearer.size()), rules_.token);
}

bool Access::failed_too_often(const Credentials& who) {
  const auto known = failures_.find(who.address);
  if (known == failures_.end()) return false;
  while (!known->second.empty() && known->second.front() < who.now_ns - failure_window_ns) {
    known->second.pop_front();
  }
  return known->second.size() >= most_failures;
}

void Access::count_failure(const Credentials& who) {
  if (failures_.size() >= most_addresses) failures_.clear();
  failures_[who.address].push_back(who.now_ns);
}

void Access::check(const Credentials& who, std::string_view path) {
  if (who.host.empty()) throw ApiError{400, "the request has no Host header", "send a Host header"};
  if (!is_our_host(who.host)) {
    throw ApiError{403, "the Host header does not name this server",
                   "add the name to allow_hosts in section [server] of the configuration"};
  }
  if (rules_.token.empty() || is_open_to_all(path) || has_token(who)) return;
  if (who.authorization.starts_with(bearer)) {
    if (failed_too_often(who)) {
      throw ApiError{429, "too many wrong tokens from this address", "try again in a minute"};
    }
    count_failure(who);
  }
  throw ApiError{401, "a token is required", "send Authorization: Bearer TOKEN, or log in"};
}

/// A proxy may forward requests with another host name than its clients use. The name that browsers
/// use must be in allow_hosts, and the proxy must listen at the default port.
void Access::check_change(const Credentials& who) const {
  constexpr std::string_view separator = "://";
  if (rules_.token.empty()) return;  // without a token, no change is possible
  if (who.origin.empty() && who.authorization.substr(0, bearer.size()) == bearer) return;
  const std::size_t scheme = who.origin.find(separator);
  if (scheme != std::string::npos) {
    const std::string page = lower_case(who.origin.substr(scheme + separator.size()));
    const auto end = rules_.hosts.begin() + static_cast<std::ptrdiff_t>(own_names_);
    if (page == lower_case(who.host) || std::find(rules_.hosts.begin(), end, page) != end) return;
  }
  throw ApiError{403, "the request comes from a page of another server",
                 "use the pages of this server, or send Authorization: Bearer TOKEN; behind a "
                 "proxy, add the host name that browsers use to allow_hosts"};
}

std::string Access::cookie() const {
  return std::string(cookie_name) + session_ + "; Path=/; HttpOnly; SameSite=Strict";
}

}  // namespace pssp
