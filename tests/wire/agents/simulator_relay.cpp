#include "tests/wire/agents/simulator_relay.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace agents {
namespace {

constexpr std::uint32_t control_error = 0, control_connect = 1, control_disconnect = 2;
constexpr std::uint32_t timed_out = 110;
constexpr std::uint8_t cc_class = 0x21, response_bit = 0x80;
/// Transaction ID of the relay's own requests; ibsim changes its upper 16 bits.
constexpr std::array<std::uint8_t, 6> own_transaction = {0x63, 0x63, 0x61, 0x67, 0x65, 0x6e};
constexpr std::chrono::milliseconds hold_interval{10};
constexpr std::chrono::seconds longest_answer{2};

struct Address {
  sockaddr_un name{};
  socklen_t size = 0;
};

/// The names of ibsim's sockets include a zero byte after the text.
Address abstract_name(const std::string& text) {
  Address address;
  address.name.sun_family = AF_UNIX;
  if (text.size() + 2 > sizeof address.name.sun_path) {
    throw std::runtime_error(fmt::format("the name {} of a socket is too long", text));
  }
  std::memcpy(address.name.sun_path + 1, text.data(), text.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size() + 2);
  return address;
}

std::array<std::uint8_t, 6> transaction_of(const Mad& mad) {
  std::array<std::uint8_t, 6> transaction{};
  std::copy_n(mad.begin() + 10, transaction.size(), transaction.begin());
  return transaction;
}

std::uint16_t lid_in(std::uint32_t network_order) {
  return ntohs(static_cast<std::uint16_t>(network_order));
}

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

template <class Datagram>
bool receive(int fd, Datagram& datagram) {
  return ::recv(fd, &datagram, sizeof datagram, 0) == static_cast<ssize_t>(sizeof datagram);
}

/// False if the socket has no room at present. Data for a process that has ended is dropped.
template <class Datagram>
bool sent(int fd, const Datagram& datagram) {
  return ::send(fd, &datagram, sizeof datagram, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ||
         errno != EAGAIN;
}

}  // namespace

Socket::Socket(const std::string& name) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  const Address address = abstract_name(name);
  if (fd_ < 0 || ::bind(fd_, reinterpret_cast<const sockaddr*>(&address.name), address.size) != 0) {
    fail("cannot bind " + name);
  }
}

Socket::Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

void Socket::connect(const std::string& name) const {
  const Address address = abstract_name(name);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address.name), address.size) != 0) {
    fail("cannot connect to " + name);
  }
}

SimulatorRelay::SimulatorRelay(std::string ibsim, std::string own,
                               std::chrono::milliseconds timeout, Agent agent)
    : ibsim_(std::move(ibsim)),
      own_(std::move(own)),
      timeout_(timeout),
      agent_(std::move(agent)),
      control_(own_ + ":ctl") {}

void hold_termination() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGTERM, &action, nullptr);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
}

void SimulatorRelay::serve() {
  for (;;) {
    const short readable = is_held() ? 0 : POLLIN;
    std::vector<pollfd> sockets{{control_.fd(), POLLIN, 0}};
    std::vector<std::uint32_t> ids;
    for (const auto& [id, client] : clients_) {
      const short writable = client->outbox.empty() ? 0 : POLLOUT;
      sockets.push_back({client->to_client.fd(), static_cast<short>(readable | writable), 0});
      sockets.push_back({client->to_ibsim.fd(), POLLIN, 0});
      ids.push_back(id);
    }
    if (!wait(sockets)) return;
    return_late();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Client& client = *clients_[ids[i]];
      if (sockets[2 + 2 * i].revents != 0) from_ibsim(client);
      if ((sockets[1 + 2 * i].revents & ~POLLOUT) != 0) serve_client(client);
      empty_outbox(client);
    }
    if (sockets[0].revents != 0) serve_control();
  }
}

/// False if a signal arrived. The caller has blocked the signal, so it is delivered only here.
bool SimulatorRelay::wait(std::vector<pollfd>& sockets) const {
  Clock::duration time = hold_ ? hold_interval : Clock::duration::max();
  if (!late_.empty()) {
    const auto until_late = late_.begin()->first - Clock::now();
    time = std::clamp<Clock::duration>(until_late, Clock::duration::zero(), time);
  }
  timespec left{};
  left.tv_sec = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  left.tv_nsec = std::chrono::nanoseconds(time % std::chrono::seconds(1)).count();
  sigset_t none;
  sigemptyset(&none);
  const bool has_end = time != Clock::duration::max();
  return ::ppoll(sockets.data(), sockets.size(), has_end ? &left : nullptr, &none) >= 0;
}

bool SimulatorRelay::is_held() {
  if (!hold_) return false;
  const auto given_up = Clock::now() - longest_answer;
  std::erase_if(unanswered_, [&](const auto& each) { return each.second < given_up; });
  return hold_(unanswered_.empty());
}

void SimulatorRelay::return_late() {
  while (!late_.empty() && late_.begin()->first <= Clock::now()) {
    const Late& late = late_.begin()->second;
    if (const auto client = clients_.find(late.client); client != clients_.end()) {
      send_to_client(*client->second, late.packet);
    }
    late_.erase(late_.begin());
  }
}

/// Handles control requests of clients: connect, disconnect, and queries about their port.
void SimulatorRelay::serve_control() {
  Control control{};
  sockaddr_un from{};
  socklen_t size = sizeof from;
  auto* const address = reinterpret_cast<sockaddr*>(&from);
  if (::recvfrom(control_.fd(), &control, sizeof control, 0, address, &size) !=
      static_cast<ssize_t>(sizeof control)) {
    return;
  }
  if (control.type == control_connect) {
    connect_client(control);
  } else if (const auto client = clients_.find(control.client); client != clients_.end()) {
    const bool leaves = control.type == control_disconnect;
    if (!sent(client->second->control.fd(), control) ||
        !receive(client->second->control.fd(), control)) {
      control.type = control_error;
    }
    if (leaves) clients_.erase(client);
  } else {
    control.type = control_error;
  }
  static_cast<void>(::sendto(control_.fd(), &control, sizeof control, MSG_NOSIGNAL, address, size));
}

/// Connects to ibsim in the name of the client. The first four bytes of the request are the process
/// ID of the client; in the answer they are the number that ibsim assigned.
void SimulatorRelay::connect_client(Control& control) {
  std::uint32_t process = 0;
  std::memcpy(&process, control.data.data(), sizeof process);
  Socket to_control(fmt::format("{}:ctl{}", ibsim_, process));
  Socket to_ibsim(fmt::format("{}:in{}", ibsim_, process));
  to_control.connect(ibsim_ + ":ctl");
  if (!sent(to_control.fd(), control) || !receive(to_control.fd(), control) ||
      control.type == control_error) {
    control.type = control_error;
    return;
  }
  std::uint32_t id = 0;
  std::memcpy(&id, control.data.data(), sizeof id);
  // ibsim may reuse the number of a client that ended without disconnecting.
  clients_.erase(id);
  to_ibsim.connect(fmt::format("{}:out{}", ibsim_, id));
  Socket to_client(fmt::format("{}:out{}", own_, id));
  to_client.connect(fmt::format("{}:in{}", own_, process));
  clients_.emplace(
      id, std::make_unique<Client>(
              Client{id, std::move(to_control), std::move(to_ibsim), std::move(to_client), {}}));
}

void SimulatorRelay::serve_client(Client& client) {
  Packet packet{};
  if (!receive(client.to_client.fd(), packet)) return;
  const bool is_request = (packet.mad[3] & response_bit) == 0;
  if (is_request && hold_) unanswered_[transaction_of(packet.mad)] = Clock::now();
  if (is_request && watch_request_ && !watch_request_(packet.mad, lid_in(packet.to_lid))) {
    lose(client, packet);
  } else if (is_request && answer_ && answer_(packet.mad)) {
    return_to_sender(client, packet);
  } else if (packet.mad[1] == cc_class && is_request) {
    handle_request(client, packet);
  } else {
    if (exchange_) packet.to_lid = exchanged(packet.to_lid);
    send_to_ibsim(client, packet);
  }
}

std::uint32_t SimulatorRelay::exchanged(std::uint32_t lid) const {
  return htons(exchange_(lid_in(lid)));
}

void SimulatorRelay::send_to_client(Client& client, const Packet& packet) {
  unanswered_.erase(transaction_of(packet.mad));
  client.outbox.push_back(packet);
  empty_outbox(client);
}

void SimulatorRelay::empty_outbox(Client& client) {
  while (!client.outbox.empty() && sent(client.to_client.fd(), client.outbox.front())) {
    client.outbox.pop_front();
  }
}

/// While ibsim has no room, receives from it, so that neither side blocks.
void SimulatorRelay::send_to_ibsim(Client& client, const Packet& packet) {
  while (!sent(client.to_ibsim.fd(), packet)) {
    pollfd ibsim{client.to_ibsim.fd(), POLLIN | POLLOUT, 0};
    ::poll(&ibsim, 1, -1);
    if ((ibsim.revents & POLLIN) != 0) from_ibsim(client);
  }
}

void SimulatorRelay::from_ibsim(Client& client) {
  Packet packet{};
  if (!receive(client.to_ibsim.fd(), packet)) return;
  const bool is_answer = (packet.mad[3] & response_bit) != 0 && packet.status == 0;
  if (is_answer && watch_answer_ && !watch_answer_(packet.mad, lid_in(packet.from_lid))) {
    packet.mad[3] = 1;  // the request returns to its sender
    lose(client, packet);
  } else {
    if (exchange_) packet.from_lid = exchanged(packet.from_lid);
    send_to_client(client, packet);
  }
}

void SimulatorRelay::lose(const Client& client, Packet packet) {
  packet.status = htonl(timed_out);
  late_.emplace(Clock::now() + timeout_, Late{client.id, packet});
}

void SimulatorRelay::handle_request(Client& client, Packet& packet) {
  const NodeIdentity node = identify(client, packet.to_lid);
  if (node.guid != 0 && agent_(node, packet.mad)) {
    return_to_sender(client, packet);
    return;
  }
  lose(client, packet);
}

void SimulatorRelay::return_to_sender(Client& client, Packet packet) {
  std::swap(packet.to_lid, packet.from_lid);
  std::swap(packet.to_qp, packet.from_qp);
  send_to_client(client, packet);
}

/// Asks ibsim for the NodeInfo of the LID in the name of the client. A LID without a route from the
/// client therefore gives no node.
NodeIdentity SimulatorRelay::identify(Client& client, std::uint32_t lid) {
  Packet packet{};
  packet.to_lid = lid;
  packet.length = 0x0001000000000000;  // 256, big-endian
  packet.mad[0] = packet.mad[1] = packet.mad[2] = packet.mad[3] = 1;
  std::copy(own_transaction.begin(), own_transaction.end(), packet.mad.begin() + 10);
  packet.mad[17] = 0x11;
  send_to_ibsim(client, packet);
  do {
    if (!receive(client.to_ibsim.fd(), packet)) return {};
    if (std::equal(own_transaction.begin(), own_transaction.end(), packet.mad.begin() + 10)) break;
    // Another packet for the client arrived in between.
    send_to_client(client, packet);
  } while (true);
  if (packet.status != 0) return {};
  NodeIdentity node;
  node.is_switch = packet.mad[64 + 2] == 2;
  node.ports = packet.mad[64 + 3];
  const std::size_t guid_at = node.is_switch ? 64 + 12 : 64 + 20;
  for (std::size_t i = 0; i < 8; ++i) node.guid = node.guid << 8 | packet.mad[guid_at + i];
  return node;
}

}  // namespace agents
