#pragma once

// Where the web interface listens.

#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

struct ListenAddress {
  std::string address = "127.0.0.1";
  std::uint16_t port = 9684;  ///< 0: the system chooses
  std::string unix_path;      ///< absolute; empty: address and port are meant
};
/// "127.0.0.1:9684", "[::1]:80", "unix:/run/monitor_fabric/http". Throws Error(usage).
ListenAddress parse_listen_address(std::string_view text);

/// As a reader writes it: "http://127.0.0.1:9684/", "unix:/path".
std::string displayed_address(const ListenAddress& listen);

/// Can no one but this machine's own processes connect there?
bool is_loopback(const ListenAddress& listen);

}  // namespace pssp
