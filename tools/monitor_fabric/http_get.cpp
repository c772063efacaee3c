// One request per connection, which the server closes (HTTP/1.1 with `Connection: close`), so that
// an answer is everything up to the end. The monitor's server never sends chunks.
//
// All waiting uses poll() with one deadline, so that a hanging monitor does not block its clients.

#include "tools/monitor_fabric/http_get.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t longest_reply = std::size_t{64} << 20U;
constexpr std::string_view default_port = "9684";

struct ServerName {
  std::string host, port, unix_path;  ///< one or the other
};

[[noreturn]] void no_server(const std::string& server) {
  throw Error(
      ErrorKind::usage,
      fmt::format("'{}' is not the address of a monitor: expected http://HOST:PORT or unix:PATH",
                  excerpt(server)));
}

ServerName parse_server(const std::string& server) {
  ServerName name;
  std::string_view rest = server;
  if (rest.starts_with("unix:")) {
    name.unix_path = rest.substr(5);
    if (name.unix_path.empty() || name.unix_path.size() >= sizeof(sockaddr_un{}.sun_path)) {
      no_server(server);
    }
    return name;
  }
  if (rest.starts_with("http://")) rest.remove_prefix(7);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const bool is_bracketed = rest.starts_with('[') && rest.find(']') != std::string_view::npos;
  const std::size_t colon = rest.find(':', is_bracketed ? rest.find(']') : 0);
  std::string_view host = rest.substr(0, colon);
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  name.host = host;
  name.port = colon == std::string_view::npos ? default_port : rest.substr(colon + 1);
  std::string_view digits = name.port;
  const std::optional<std::uint64_t> port = take_number(digits);
  const bool is_port = port && digits.empty() && *port >= 1 && *port <= 65'535;
  if (host.empty() || host.find_first_of("/@ \r\n") != std::string_view::npos || !is_port) {
    no_server(server);
  }
  return name;
}

class Connection {
 public:
  Connection(std::string server, double timeout_s)
      : server_(std::move(server)),
        timeout_s_(timeout_s),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(timeout_s))) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { leave(); }

  void connect_to(const ServerName& name) {
    if (!name.unix_path.empty()) {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::memcpy(address.sun_path, name.unix_path.data(), name.unix_path.size());
      if (!try_address(AF_UNIX, reinterpret_cast<const sockaddr*>(&address),  // NOLINT
                       sizeof address)) {
        fail(std::strerror(error_));  // NOLINT(concurrency-mt-unsafe)
      }
      return;
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int result = getaddrinfo(name.host.c_str(), name.port.c_str(), &hints, &found);
    if (result != 0) fail(gai_strerror(result));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, &freeaddrinfo);
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
      if (try_address(each->ai_family, each->ai_addr, each->ai_addrlen)) return;
    }
    fail(std::strerror(error_));  // NOLINT(concurrency-mt-unsafe)
  }

  void send_all(std::string_view text) {
    while (!text.empty()) {
      wait_for(POLLOUT);
      const ssize_t sent = send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        fail(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
      }
      if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  std::string read_all() {
    std::string text;
    char piece[16'384];
    for (;;) {
      wait_for(POLLIN);
      const ssize_t got = recv(socket_, piece, sizeof piece, 0);
      if (got == 0) return text;
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got < 0) fail(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
      text.append(piece, static_cast<std::size_t>(got));
      if (text.size() > longest_reply) fail("the reply is longer than 64 MiB");
    }
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("the monitor at {}: {}; check that `pssp monitor serve` runs, and "
                            "its address: listen in section [server]",
                            printable(server_), why));
  }

 private:
  bool try_address(int family, const sockaddr* address, socklen_t size) {
    leave();
    socket_ = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    error_ = errno;
    if (socket_ < 0) return false;
    if (connect(socket_, address, size) == 0) return true;
    error_ = errno;
    if (error_ != EINPROGRESS) return false;
    wait_for(POLLOUT);
    socklen_t length = sizeof error_;
    return getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error_, &length) == 0 && error_ == 0;
  }

  void wait_for(short events) const {
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      pollfd ready{socket_, events, 0};
      const int result = left <= 0 ? 0 : poll(&ready, 1, static_cast<int>(left));
      if (result > 0) return;
      if (result == 0) fail(fmt::format("no reply within {:g} s", timeout_s_));
      if (errno != EINTR) fail(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
    }
  }

  void leave() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }

  const std::string server_;
  const double timeout_s_;
  const Clock::time_point deadline_;
  int socket_ = -1;
  int error_ = 0;
};

/// The value of Content-Length; none if it is missing.
std::optional<std::uint64_t> length_of(std::string_view head) {
  constexpr std::string_view name = "\r\nContent-Length: ";
  const std::size_t at = head.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  head.remove_prefix(at + name.size());
  return take_number(head);
}

}  // namespace

HttpReply http_get(const std::string& server, const std::string& target, const std::string& token,
                   double timeout_s) {
  const ServerName name = parse_server(server);
  Connection connection(server, timeout_s);
  connection.connect_to(name);
  const bool is_v6 = name.host.find(':') != std::string::npos;
  const std::string host = name.host.empty() ? "localhost"
                           : is_v6           ? fmt::format("[{}]:{}", name.host, name.port)
                                             : fmt::format("{}:{}", name.host, name.port);
  connection.send_all(fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nUser-Agent: monitor_fabric\r\n{}\r\n",
      target, host, token.empty() ? "" : fmt::format("Authorization: Bearer {}\r\n", token)));
  const std::string reply = connection.read_all();
  constexpr std::string_view blank_line = "\r\n\r\n";
  const std::size_t end = reply.find(blank_line);
  std::string_view first = reply;
  if (end == std::string::npos || !(take(first, "HTTP/1.1 ") || take(first, "HTTP/1.0 "))) {
    connection.fail("the reply is not HTTP");
  }
  const std::optional<std::uint64_t> status = take_number(first);
  if (!status || *status < 100 || *status > 999) connection.fail("the reply has no HTTP status");
  HttpReply read{static_cast<int>(*status), reply.substr(end + blank_line.size())};
  const auto length = length_of(std::string_view(reply).substr(0, end));
  if (length && *length != read.body.size()) {
    connection.fail(fmt::format("the reply ended after {} of {} bytes", read.body.size(), *length));
  }
  return read;
}

std::string percent_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
                          std::string_view("-._~").find(c) != std::string_view::npos;
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace pssp
