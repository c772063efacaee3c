#pragma once

// Requests and responses with many nodes at once.

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
  unsigned window = 128;                   ///< requests on their way at a time
  unsigned per_node = 4;                   ///< of these, to one destination
};

/// Holds dialogues over one port. Not for use by two threads at once. A dialogue and the port must
/// outlive it, or the dialogue's end.
///
/// A program that does one thing calls step() until it is false, or hold_dialogues(). One that
/// lives on calls it from its loop: when the port's file descriptor is readable, and at due().
class Exchange {
 public:
  using Clock = std::chrono::steady_clock;
  /// Tests have a clock of their own.
  using Now = std::function<Clock::time_point()>;

  Exchange(MadPort& port, const ExchangeOptions& options, Now now = Clock::now);

  /// A dialogue more; it is begun when the window has room, in the order of add().
  void add(Dialogue& dialogue) { waiting_.push_back(&dialogue); }

  /// Sends what the window allows and takes what arrives, until `deadline` or until all dialogues
  /// are over; false then. It never waits beyond the deadline: with one that has passed it takes
  /// what is there, at most a window of MADs. Throws what the port and the dialogues throw.
  bool step(Clock::time_point deadline);

  /// For what is sent from now on.
  void set_options(const ExchangeOptions& options) noexcept { options_ = options; }

  /// Ends in order: nothing more is sent, neither first tries nor retries. What is on its way is
  /// still waited for, by step(), for the time-out of a try. A dialogue that has more to ask is
  /// told that it was stopped, also one that was not begun yet.
  void stop();
  /// stop(), and step() until nothing is on its way. For the end of a program whose requests may
  /// still be answered: ibsim's library, which is the port of a simulated fabric, hangs or crashes
  /// where an answer arrives while the program ends. Throws as step() does.
  void end_in_order();
  /// The same where dialogues may have ended their lives already, as they do while an exception is
  /// on its way: none of them is called again. Nothing can be asked afterwards.
  void abandon();

  std::size_t done() const noexcept { return done_; }  ///< dialogues that are over
  /// When step() has to be called though nothing arrives; the largest time when nothing is on its
  /// way.
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
    unsigned open = 0;          ///< on their way, or in ready_
    std::deque<Flight> parked;  ///< those that wait for one of these
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
  std::deque<Flight> ready_;  // may be sent as soon as the window has room
  Flights flights_;
  std::set<std::pair<Clock::time_point, std::uint32_t>> deadlines_;  // of the flights
  std::map<Destination, Node> nodes_;                                // with open requests
  std::uint32_t last_transaction_ = 0;
  std::size_t done_ = 0;
  bool stopping_ = false;
};

/// Holds all dialogues to their end. `progress` is told several times a second how many of them are
/// over. When `stop` says so, looked at as often, the exchange is stopped. The time is about
/// (number of nodes that do not answer) / window * timeout * (retries + 1). Throws what the port
/// throws.
void hold_dialogues(MadPort& port, std::span<Dialogue* const> dialogues,
                    const ExchangeOptions& options,
                    const std::function<void(std::size_t done)>& progress,
                    const std::function<bool()>& stop = nullptr);

}  // namespace pssp
