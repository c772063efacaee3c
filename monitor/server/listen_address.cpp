// Host names are not accepted: the address of a name may change between two starts, and with it the
// group of machines that can read the fabric.

#include "monitor/server/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

/// An IPv6 address, or an IPv4 address mapped to IPv6; nullopt for other texts.
std::optional<std::array<std::uint8_t, 16>> bytes_of(const std::string& address) {
  std::array<std::uint8_t, 16> bytes{};
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return bytes;
  bytes[10] = bytes[11] = 0xFF;
  if (inet_pton(AF_INET, address.c_str(), bytes.data() + 12) == 1) return bytes;
  return std::nullopt;
}

}  // namespace

ListenAddress parse_listen_address(std::string_view text) {
  constexpr std::string_view unix_prefix = "unix:";
  ListenAddress listen;
  if (text.substr(0, unix_prefix.size()) == unix_prefix) {
    listen.unix_path = std::string(text.substr(unix_prefix.size()));
    if (listen.unix_path.size() > 1 && listen.unix_path.front() == '/' &&
        listen.unix_path.back() != '/' && listen.unix_path.find('\0') == std::string::npos) {
      return listen;
    }
    throw Error(ErrorKind::usage, fmt::format("invalid listen address '{}': expected an absolute "
                                              "path, such as unix:/run/monitor_fabric/http",
                                              excerpt(text)));
  }
  const std::size_t colon = text.rfind(':');
  unsigned port = 0;
  const char* const end = text.data() + text.size();
  if (colon != std::string_view::npos) {
    const auto [rest, status] = std::from_chars(text.data() + colon + 1, end, port);
    std::string_view address = text.substr(0, colon);
    if (address.size() > 2 && address.front() == '[' && address.back() == ']') {
      address = address.substr(1, address.size() - 2);
    }
    listen.address = std::string(address);
    if (status == std::errc{} && rest == end && port <= 65535 && bytes_of(listen.address)) {
      listen.port = static_cast<std::uint16_t>(port);
      return listen;
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("invalid listen address '{}': expected an IP address and a port, such as "
                          "127.0.0.1:9684 or [::1]:9684, or unix:/path",
                          excerpt(text)));
}

std::string displayed_address(const ListenAddress& listen) {
  if (!listen.unix_path.empty()) return "unix:" + excerpt(listen.unix_path);
  const bool is_v6 = listen.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", is_v6 ? "[" : "", listen.address, is_v6 ? "]" : "",
                     listen.port);
}

bool is_loopback(const ListenAddress& listen) {
  if (!listen.unix_path.empty()) return true;
  const auto bytes = bytes_of(listen.address);
  if (!bytes) return false;
  std::array<std::uint8_t, 16> own{};
  own[15] = 1;
  if (*bytes == own) return true;
  const bool is_v4 = (*bytes)[10] == 0xFF && (*bytes)[11] == 0xFF;
  return is_v4 && std::memcmp(bytes->data(), own.data(), 10) == 0 && (*bytes)[12] == 127;
}

}  // namespace pssp
