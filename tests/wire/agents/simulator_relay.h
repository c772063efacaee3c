#pragma once

// A relay between ibsim and its clients that uses ibsim's protocol on both sides. It passes MADs of
// class 0x21 to an agent and all other packets through, unless a test asks for changes.
//
// Agents cannot be clients of ibsim, because ibsim 0.10 uses only the lower four bits of the
// management class. It takes class 0x21 for class 1, subnet management, and answers a Get or Set of
// CongestionInfo, SwitchCongestionSetting and so on as its own NodeInfo, GUIDInfo and so on. Also,
// it serves at most ten clients.
//
// The relay must not block on either side. A client of ibsim that waits for room to send does not
// read, and neither does ibsim, so a relay that waits for one of them would stop all three.

#include <poll.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/wire/agents/node_agent.h"

namespace agents {

/// The node that owns the destination LID of a MAD, according to ibsim.
struct NodeIdentity {
  bool is_switch = false;
  unsigned ports = 0;
  std::uint64_t guid = 0;  ///< of the node for a switch, of the port for an adapter
};

/// A datagram with a MAD between ibsim and a client (struct sim_request of ibsim).
struct Packet {
  std::uint32_t to_lid, from_lid, to_qp, from_qp;  // the LIDs are 16 bits in network byte order
  std::uint32_t status;                            // network byte order; 110: timed out
  std::uint64_t length;
  Mad mad;
};

/// A control datagram (struct sim_ctl of ibsim).
struct Control {
  std::uint32_t magic, client, type, length;
  std::array<std::uint8_t, 64> data;
};

class Socket {
 public:
  /// An abstract datagram socket with that name.
  explicit Socket(const std::string& name);
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;
  ~Socket();
  void connect(const std::string& name) const;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

/// Blocks SIGTERM until SimulatorRelay::serve() waits for it; serve() then returns. Must be called
/// before the relay is created, so that no signal is lost.
void hold_termination();

class SimulatorRelay {
 public:
  /// Turns the MAD into its answer. False: there is no answer, and the sender sees a timeout.
  using Agent = std::function<bool(const NodeIdentity&, Mad&)>;

  /// `ibsim` and `own` are values of IBSIM_SOCKNAME: the one of ibsim, and the one that clients
  /// use. A MAD without an answer returns to its sender as timed out after `timeout`.
  SimulatorRelay(std::string ibsim, std::string own, std::chrono::milliseconds timeout,
                 Agent agent);

  /// Sees each request of a client first, or each answer of ibsim before the client, and can change
  /// it. Returns false to lose it, which the client sees as a timeout. `lid` is the LID of the
  /// requested or answering node.
  using Watch = std::function<bool(Mad& mad, std::uint16_t lid)>;
  void watch_requests(Watch watch) { watch_request_ = std::move(watch); }
  void watch_answers(Watch watch) { watch_answer_ = std::move(watch); }

  /// Answers a request of a client in place of its node. Returns true if it turned the MAD into the
  /// answer. Called after the function of watch_requests().
  using Answer = std::function<bool(Mad&)>;
  void answer_in_place(Answer answer) { answer_ = std::move(answer); }

  /// Decides every few milliseconds whether requests of clients are held back. `is_idle` is true if
  /// no request of the last two seconds is unanswered.
  using Hold = std::function<bool(bool is_idle)>;
  void hold_requests(Hold hold) { hold_ = std::move(hold); }

  /// Maps a requested LID to the LID of the node that answers instead. The answer has the requested
  /// LID as its source.
  using Exchange = std::function<std::uint16_t(std::uint16_t)>;
  void exchange_lids(Exchange exchange) { exchange_ = std::move(exchange); }

  /// Serves until a signal arrives that the caller handles and has blocked.
  void serve();

 private:
  using Clock = std::chrono::steady_clock;
  using Transaction = std::array<std::uint8_t, 6>;  // without the two bytes that ibsim changes
  struct Client {
    std::uint32_t id;  // assigned by ibsim
    Socket control, to_ibsim, to_client;
    std::deque<Packet> outbox;  // packets for which the client has no room yet
  };
  struct Late {
    std::uint32_t client;
    Packet packet;
  };

  void serve_control();
  std::uint32_t exchanged(std::uint32_t lid) const;
  void connect_client(Control& control);
  void serve_client(Client& client);
  void handle_request(Client& client, Packet& packet);
  void return_to_sender(Client& client, Packet packet);
  NodeIdentity identify(Client& client, std::uint32_t lid);
  void send_to_client(Client& client, const Packet& packet);
  static void empty_outbox(Client& client);
  void send_to_ibsim(Client& client, const Packet& packet);
  void from_ibsim(Client& client);
  void lose(const Client& client, Packet packet);
  void return_late();
  bool is_held();
  bool wait(std::vector<pollfd>& sockets) const;

  std::string ibsim_, own_;
  std::chrono::milliseconds timeout_;
  Agent agent_;
  Watch watch_request_, watch_answer_;
  Answer answer_;
  Exchange exchange_;
  Hold hold_;
  std::map<Transaction, Clock::time_point> unanswered_;
  Socket control_;
  std::map<std::uint32_t, std::unique_ptr<Client>> clients_;  // by id
  std::multimap<Clock::time_point, Late> late_;
};

}  // namespace agents
