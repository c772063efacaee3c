#pragma once

// Stands between ibsim and its clients, speaks ibsim's own protocol to both sides, and hands out
// the MADs of class 0x21 that clients send.
//
// Why not clients of ibsim, attached at the nodes? ibsim 0.10 looks at the lower four bits of the
// management class only. It takes class 0x21 for class 1, subnet management, answers GET and SET of
// CongestionInfo, SwitchCongestionSetting and so on as if they were its NodeInfo, GUIDInfo and so
// on, and no client ever sees them. Besides, it serves ten clients at most.
//
// Neither side may be kept waiting. A client of ibsim that waits for room to send does not read,
// and an ibsim that waits for room to send does nothing else: whoever blocks on one of them stops
// all.
//
// Everything else passes through unchanged: the fabric is ibsim's, and so is every other answer.

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

/// Who owns the LID that a MAD is for, as ibsim says.
struct NodeIdentity {
  bool is_switch = false;
  unsigned ports = 0;
  std::uint64_t guid = 0;  ///< of the node for a switch, of the port for an adapter
};

/// A datagram between ibsim and a client on the way of MADs (struct sim_request of ibsim).
struct Packet {
  std::uint32_t to_lid, from_lid, to_qp, from_qp;  // the LIDs are 16 bits in network byte order
  std::uint32_t status;                            // network byte order; 110: timed out
  std::uint64_t length;
  Mad mad;
};

/// A datagram on the way of control (struct sim_ctl of ibsim).
struct Control {
  std::uint32_t magic, client, type, length;
  std::array<std::uint8_t, 64> data;
};

class Socket {
 public:
  /// An abstract datagram socket of that name.
  explicit Socket(const std::string& name);
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;
  ~Socket();
  void connect(const std::string& name) const;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

/// From here on SIGTERM waits until SimulatorRelay::serve() asks for it, which then ends. To be
/// called before the relay is made, so that no signal is lost.
void hold_termination();

class SimulatorRelay {
 public:
  /// Changes the MAD into its answer; false: no answer, and the sender sees a time-out.
  using Agent = std::function<bool(const NodeIdentity&, Mad&)>;

  /// ibsim is at `ibsim`, clients find us at `own` (values of IBSIM_SOCKNAME). A MAD that gets no
  /// answer comes back to its sender as timed out after `timeout`.
  SimulatorRelay(std::string ibsim, std::string own, std::chrono::milliseconds timeout,
                 Agent agent);

  /// Sees each request of a client first, or each answer of ibsim before the client, and can change
  /// it. Returns false to lose it, which the client sees as a timeout. `lid` is the LID of the node
  /// that is asked or answers.
  using Watch = std::function<bool(Mad& mad, std::uint16_t lid)>;
  void watch_requests(Watch watch) { watch_request_ = std::move(watch); }
  void watch_answers(Watch watch) { watch_answer_ = std::move(watch); }

  /// Answers a request of a client in the place of its node: true where it has made the answer of
  /// it. After watch_requests().
  using Answer = std::function<bool(Mad&)>;
  void answer_in_place(Answer answer) { answer_ = std::move(answer); }

  /// Decides every few milliseconds whether requests of clients wait. `is_idle`: no request of the
  /// last two seconds is unanswered.
  using Hold = std::function<bool(bool is_idle)>;
  void hold_requests(Hold hold) { hold_ = std::move(hold); }

  /// Who is asked instead of the node at a LID; the answer comes from the LID that was asked.
  using Exchange = std::function<std::uint16_t(std::uint16_t)>;
  void exchange_lids(Exchange exchange) { exchange_ = std::move(exchange); }

  /// Serves until a signal comes that the caller handles and has blocked.
  void serve();

 private:
  using Clock = std::chrono::steady_clock;
  using Transaction = std::array<std::uint8_t, 6>;  // without the two bytes that ibsim changes
  struct Client {
    std::uint32_t id;  // number that ibsim gave
    Socket control, to_ibsim, to_client;
    std::deque<Packet> outbox;  // what the client has no room for yet
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
