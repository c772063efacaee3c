#pragma once

// Who may ask: the name that the server is called by, and the token.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/api/request.h"

namespace pssp {

struct AccessRules {
  std::vector<std::string> hosts;  ///< names and addresses without port, beside those of loopback
  std::string token;               ///< empty: everybody may read
  std::string address = {};        ///< where it listens, which is a name, too; may be empty
};

/// Belongs to one thread.
class Access {
 public:
  /// `session`: a random text, which the cookie of those who logged in has.
  Access(AccessRules rules, std::string session);

  struct Credentials {
    std::string host, authorization, cookie, address;
    std::int64_t now_ns = 0;
    std::string origin = {};  ///< of the page that asks, as its browser says
  };
  /// Throws ApiError: 400 without a host, 403 for a host that is not ours (a page of somebody else
  /// that calls us by its own name), 401 without or with a wrong token, 429 for a wrong one from an
  /// address that tried too many; the right one is never refused. `path` decides what is open to
  /// all: /healthz, and what the login page is made of.
  void check(const Credentials& who, std::string_view path);
  /// For requests that change something, after check(): throws ApiError 403 unless a page of this
  /// server asks, or a program that sent the token itself. The browser's cookie alone is not
  /// enough, for it goes with requests of pages at other ports of this host, too.
  void check_change(const Credentials& who) const;
  /// The Set-Cookie of /api/v1/session.
  std::string cookie() const;

 private:
  bool is_our_host(std::string_view host) const;
  bool has_token(const Credentials& who) const;
  bool failed_too_often(const Credentials& who);
  void count_failure(const Credentials& who);

  AccessRules rules_;
  std::size_t own_names_;  ///< of rules_.hosts, those of the configuration, which are first
  std::string session_;
  std::map<std::string, std::deque<std::int64_t>> failures_;  // times, by address
};

/// Takes as long for equal as for different texts of one length.
bool same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace pssp
