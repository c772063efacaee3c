#pragma once

// Exchanges requests and responses with many nodes at once.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "wire/dialogue.h"
#include "wire/mad_port.h"

namespace pssp {

struct ExchangeOptions {
  std::chrono::milliseconds timeout{500};  ///< for one try
  unsigned retries = 2;                    ///< after the first try
  unsigned window = 128;                   ///< maximum number of requests in transit
  unsigned per_node = 4;                   ///< maximum number of these to one destination
};

/// Runs dialogues over one port. Not thread-safe. The port must outlive it, and dialogues must
/// exist until they end.
///
/// Programs with a single task call step() until it returns false, or hold_dialogues(). Daemons
/// call it from their loop: when the port's file descriptor is readable, and at due().
class Exchange {
 public:
  using Clock = std::chrono::steady_clock;
  /// Tests use their own clock.
  using Now = std::function<Clock::time_point()>;

  Exchange(MadPort& port, const ExchangeOptions& options, Now now = Clock::now);

  /// Adds a dialogue, which begins when the window has room, in the order of add().
  void add(Dialogue& dialogue) { waiting_.push_back(&dialogue); }

  /// Sends what the window permits and receives until `deadline` or until all dialogues are over;
  /// then returns false. Never waits beyond the deadline: if it has passed, receives what is
  /// available, at most a window of MADs. Throws the exceptions of the port and the dialogues.
  bool step(Clock::time_point deadline);

  /// Applies to later requests.
  void set_options(const ExchangeOptions& options) noexcept { options_ = options; }

  /// Stops in order: sends nothing more, neither first tries nor retries. step() still waits for
  /// requests in transit, for the time-out of one try. Dialogues with further requests, including
  /// those not yet begun, are told that they were stopped.
  void stop();
  /// stop(), followed by step() until nothing is in transit. For the end of a program whose
  /// requests may still be answered: the client library of ibsim hangs or crashes if an answer
  /// arrives while the program ends. Throws as step() does.
  void end_in_order();
  /// The same if dialogues may no longer exist, as during exception handling: calls none of them
  /// again. No requests are possible afterwards.
  void abandon();

  std::size_t done() const noexcept { return done_; }  ///< number of finished dialogues
  /// When step() must be called even if nothing arrives; the maximum time if nothing is in transit.
  Clock::time_point due() const;

 private:
  struct Flight {
    Dialogue* dialogue = nullptr;
    MadRequest request;
    unsigned tries = 0;
    Clock::time_point deadline;
  };
  /// The requests to one destination.
  struct Node {
    unsigned open = 0;          ///< in transit, or in ready_
    std::deque<Flight> parked;  ///< waiting for one of these
  };
  using Flights = std::unordered_map<std::uint32_t, Flight>;  // by lower half of the transaction

  bool over() const { return waiting_.empty() && ready_.empty() && flights_.empty(); }
  void fill_window();
  void go_on(Dialogue& dialogue);
  void send(Flight flight);
  void arrive(const ReceivedMad& mad);
  Flight land(Flights::iterator flight);
  void leave_node(const Destination& destination);
  bool may_retry(const Flight& flight) const;
  void try_again(const Flight& flight);
  void fail(const Flight& flight, const MadFailure& failure);
  void give_up_late();
  std::chrono::milliseconds time_to_wait(Clock::time_point deadline) const;

  MadPort& port_;
  ExchangeOptions options_;
  Now now_;
  std::deque<Dialogue*> waiting_;
  std::deque<Flight> ready_;  // sent as soon as the window has room
  Flights flights_;
  std::set<std::pair<Clock::time_point, std::uint32_t>> deadlines_;  // of the flights
  std::map<Destination, Node> nodes_;                                // with open requests
  std::uint32_t last_transaction_ = 0;
  std::size_t done_ = 0;
  bool stopping_ = false;
};

/// Runs all dialogues to their end. Several times a second, `progress` gets the number of finished
/// dialogues, and `stop` is checked, which stops the exchange. The time is about (number of nodes
/// that do not answer) / window * timeout * (retries + 1). Throws the exceptions of the port.
void hold_dialogues(MadPort& port, std::span<Dialogue* const> dialogues,
                    const ExchangeOptions& options,
                    const std::function<void(std::size_t done)>& progress,
                    const std::function<bool()>& stop = nullptr);

}  // namespace pssp
