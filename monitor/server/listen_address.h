#pragma once

// Where the web interface listens.

#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

struct ListenAddress {
  std::string address = "127.0.0.1";
  std::uint16_t port = 9684;  ///< 0: the system chooses
};
/// "127.0.0.1:9684", "[::1]:80". Throws Error(usage).
ListenAddress parse_listen_address(std::string_view text);

/// Can nobody but this machine's own processes connect there?
bool is_loopback(const ListenAddress& listen);

}  // namespace pssp
