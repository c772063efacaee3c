// Clients that never complete a request: keeps connections to a port of 127.0.0.1 open, each with
// the beginning of a request, and reopens those that the server closes.
//
//   half_open PORT CONNECTIONS
//
// The connections come from 127.0.0.10, 127.0.0.11 ..., 50 from each address, because servers limit
// the connections of one address. The program prints `held` once, when all connections are open,
// and ends when its standard input ends.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::uint32_t loopback = 0x7f000000;
constexpr unsigned first_host = 10, of_one_address = 50;

sockaddr_in address_of(std::uint32_t host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(loopback | host);
  address.sin_port = htons(port);
  return address;
}

/// A connection with half a request; -1 on failure.
int open_half(unsigned number, std::uint16_t port) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) return -1;
  const sockaddr_in own = address_of(first_host + number / of_one_address, 0);
  const sockaddr_in server = address_of(1, port);
  constexpr std::string_view half = "GET / HT";
  if (bind(client, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      connect(client, reinterpret_cast<const sockaddr*>(&server), sizeof server) != 0 ||
      send(client, half.data(), half.size(), MSG_NOSIGNAL) < 0) {
    close(client);
    return -1;
  }
  return client;
}

int hold(std::uint16_t port, unsigned connections) {
  // The last descriptor is standard input.
  std::vector<pollfd> open(connections, pollfd{-1, POLLIN, 0});
  open.push_back({STDIN_FILENO, POLLIN, 0});
  bool said = false;
  for (;;) {
    unsigned held = 0;
    for (unsigned i = 0; i < connections; ++i) {
      if (open[i].fd < 0) open[i].fd = open_half(i, port);
      if (open[i].fd >= 0) ++held;
    }
    if (held == connections && !said) {
      said = true;
      std::puts("held");
      std::fflush(stdout);
    }
    constexpr int at_most_ms = 100;
    if (poll(open.data(), open.size(), at_most_ms) < 0 && errno != EINTR) return 1;
    char bytes[512];
    if (open.back().revents != 0 && read(STDIN_FILENO, bytes, sizeof bytes) <= 0) return 0;
    for (unsigned i = 0; i < connections; ++i) {
      // Any answer means that the server has given up; it then closes the connection.
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      if (read(open[i].fd, bytes, sizeof bytes) > 0) continue;
      close(open[i].fd);
      open[i].fd = -1;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: half_open PORT CONNECTIONS\n", stderr);
    return 2;
  }
  return hold(static_cast<std::uint16_t>(std::stoul(argv[1])),
              static_cast<unsigned>(std::stoul(argv[2])));
}
