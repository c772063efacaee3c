#pragma once

// Access control: the host names that the server accepts, and the token.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/api/request.h"

namespace pssp {

struct AccessRules {
  std::vector<std::string> hosts;  ///< names and addresses without port, in addition to those of
                                   ///< loopback
  std::string token;               ///< empty: everybody may read
  std::string address = {};        ///< address on which the server listens, also accepted as a
                                   ///< name; may be empty
};

/// Not thread-safe.
class Access {
 public:
  /// `session` is a random text, the cookie of clients that have logged in.
  Access(AccessRules rules, std::string session);

  struct Credentials {
    std::string host, authorization, cookie, address;
    std::int64_t now_ns = 0;
    std::string origin = {};  ///< origin of the requesting page, as sent by its browser
  };
  /// Throws ApiError: 400 without a host; 403 for a foreign host name, which prevents DNS
  /// rebinding; 401 without a token or with a wrong one; 429 for a wrong token from an address that
  /// tried too many. The right token is never refused. `path` decides what is open to all: /healthz
  /// and the files of the login page.
  void check(const Credentials& who, std::string_view path);
  /// For requests that change something, after check(). Throws ApiError 403 unless the request
  /// comes from a page of this server, or from a program that sent the token itself. The cookie
  /// alone is not enough, because browsers also send it with requests of pages at other ports of
  /// this host.
  void check_change(const Credentials& who) const;
  /// The Set-Cookie header of /api/v1/session.
  std::string cookie() const;

 private:
  bool is_our_host(std::string_view host) const;
  bool has_token(const Credentials& who) const;
  bool failed_too_often(const Credentials& who);
  void count_failure(const Credentials& who);

  AccessRules rules_;
  std::size_t own_names_;  ///< number of configured names, which come first in rules_.hosts
  std::string session_;
  std::map<std::string, std::deque<std::int64_t>> failures_;  // times of wrong tokens, by address
};

/// Compares in constant time for texts of equal length.
bool same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace pssp
