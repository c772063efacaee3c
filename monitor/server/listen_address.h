#pragma once

// The address on which the web interface listens.

#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

struct ListenAddress {
  std::string address = "127.0.0.1";
  std::uint16_t port = 9684;  ///< 0: the system chooses
  std::string unix_path;      ///< absolute path; if empty, address and port apply
};
/// Parses "127.0.0.1:9684", "[::1]:80" or "unix:/run/monitor_fabric/http". Throws Error(usage).
ListenAddress parse_listen_address(std::string_view text);

/// For messages: "http://127.0.0.1:9684/", "unix:/path".
std::string displayed_address(const ListenAddress& listen);

/// True if only processes of this machine can connect.
bool is_loopback(const ListenAddress& listen);

}  // namespace pssp
