// Runs many dialogues over one port.
//
// wire/ has three layers. The lowest handles bytes: mad.h has the header that all management
// classes share, and the folders congestion/, performance/ and subnet/ have the attributes of one
// class each. The next is the transport: MadPort sends a MAD to a destination and receives MADs;
// umad_port.cpp uses an adapter, tests use other ports. The top layer has dialogues, state machines
// with the requests for one node. This file connects the three, and only it handles windows,
// time-outs and retries. Nothing here starts a thread, prints, or sleeps outside
// MadPort::receive().
//
// A request in transit is a flight. It is identified by the lower half of its transaction ID, which
// is unique (the upper half belongs to the kernel); a retry is a new flight, so that a late answer
// to the first try, like anything else that does not reply to a flight, is dropped. (Setting the
// same values twice is harmless.)
//
// There are two limits. The window limits all flights, because an adapter, and even more ibsim,
// drops MADs that arrive too fast. `per_node` limits those to one destination, because a switch
// answers only a few thousand MADs per second. A request beyond the second limit is parked at its
// node; when a flight to that node lands, the first parked request takes its place and goes to
// `ready_`, where it waits for the window.
//
// The kernel returns a request after its time-out. In case it does not, a flight has its own,
// slightly later deadline. A node that reports that it is busy is asked again at the deadline.

#include "wire/exchange.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {
namespace {

/// Additional time for the kernel before the exchange checks itself.
constexpr std::chrono::milliseconds grace{1000};

/// Replaces a dialogue that may no longer exist: makes no requests, and ignores answers.
class Nothing final : public Dialogue {
 public:
  std::optional<MadRequest> next() override { return std::nullopt; }
  void take(const MadAnswer& answer) override { static_cast<void>(answer); }
  void failed(const MadFailure& failure) override { static_cast<void>(failure); }
};

}  // namespace

std::string explain(const MadFailure& failure, ReasonMeaning meaning) {
  switch (failure.kind) {
    case MadFailure::Kind::unsent:
      return fmt::format("could not be sent: {}", failure.reason);
    case MadFailure::Kind::unanswered:
      return fmt::format("no reply to {} requests", failure.tries);
    case MadFailure::Kind::refused:
      return "refused, " + explain_mad_status(failure.status, meaning);
    case MadFailure::Kind::stopped:
      break;
  }
  return "stopped before it was sent";
}

Exchange::Exchange(MadPort& port, const ExchangeOptions& options, Now now)
    : port_(port), options_(options), now_(std::move(now)) {}

bool Exchange::step(Clock::time_point deadline) {
  std::size_t taken = 0;
  for (;;) {
    give_up_late();
    fill_window();
    if (over()) return false;
    const bool time_is_over = now_() >= deadline;
    if (time_is_over && taken >= options_.window) return true;
    if (const auto mad = port_.receive(time_to_wait(deadline))) {
      arrive(*mad);
      ++taken;
    } else if (time_is_over) {
      return true;
    }
  }
}

void Exchange::stop() {
  if (stopping_) return;
  stopping_ = true;
  std::deque<Flight> unsent = std::exchange(ready_, {});
  for (auto& [destination, node] : nodes_) {
    std::ranges::move(std::exchange(node.parked, {}), std::back_inserter(unsent));
  }
  // fill_window() ends those that have not begun.
  for (const Flight& flight : unsent) fail(flight, {MadFailure::Kind::stopped, 0, 0, {}});
}

Exchange::Clock::time_point Exchange::due() const {
  return deadlines_.empty() ? Clock::time_point::max() : deadlines_.begin()->first;
}

void Exchange::fill_window() {
  while (flights_.size() < options_.window || stopping_) {
    if (!ready_.empty()) {
      const Flight flight = ready_.front();
      ready_.pop_front();
      send(flight);
    } else if (!waiting_.empty()) {
      Dialogue& dialogue = *waiting_.front();
      waiting_.pop_front();
      go_on(dialogue);
    } else {
      return;
    }
  }
}

/// Moves the next request of the dialogue to ready_, or parks it at its node.
void Exchange::go_on(Dialogue& dialogue) {
  std::optional<MadRequest> request = dialogue.next();
  while (request && stopping_) {
    dialogue.failed({MadFailure::Kind::stopped, 0, 0, {}});
    request = dialogue.next();
  }
  if (!request) {
    ++done_;
    return;
  }
  Node& node = nodes_[request->to];
  std::deque<Flight>* queue = &node.parked;
  if (node.open < options_.per_node) {
    ++node.open;
    queue = &ready_;
  }
  queue->push_back({&dialogue, *request, 0, {}});
}

void Exchange::send(Flight flight) {
  const auto timeout = flight.dialogue->timeout(options_.timeout, flight.tries++);
  flight.deadline = now_() + timeout + grace;
  const std::uint32_t transaction = ++last_transaction_;
  if (!port_.send(encode(flight.request, transaction), flight.request.to, timeout)) {
    leave_node(flight.request.to);
    fail(flight, {MadFailure::Kind::unsent, 0, flight.tries, port_.send_error()});
    return;
  }
  deadlines_.emplace(flight.deadline, transaction);
  flights_.emplace(transaction, flight);
}

void Exchange::arrive(const ReceivedMad& mad) {
  const auto found = flights_.find(static_cast<std::uint32_t>(header_of(mad.bytes).transaction));
  if (found == flights_.end()) return;
  Flight& flight = found->second;
  if (mad.timed_out) {
    try_again(land(found));
    return;
  }
  if (!answers(mad.bytes, flight.request)) return;
  const MadAnswer answer = decode_answer(mad.bytes, flight.request.management_class);
  if (answer.status == mad_status::busy && may_retry(flight)) {
    deadlines_.erase({flight.deadline, found->first});
    flight.deadline = now_() + options_.timeout;
    deadlines_.emplace(flight.deadline, found->first);
    return;
  }
  const Flight landed = land(found);
  leave_node(landed.request.to);
  if (answer.status != 0) {
    fail(landed, {MadFailure::Kind::refused, answer.status, landed.tries, {}});
    return;
  }
  landed.dialogue->take(answer);
  go_on(*landed.dialogue);
}

/// Removes a flight from those in transit. Its place at the node stays reserved.
Exchange::Flight Exchange::land(Flights::iterator flight) {
  deadlines_.erase({flight->second.deadline, flight->first});
  return flights_.extract(flight).mapped();
}

/// Gives the place of a flight to the first request parked there.
void Exchange::leave_node(const Destination& destination) {
  const auto found = nodes_.find(destination);
  Node& node = found->second;
  if (!node.parked.empty()) {
    ready_.push_back(node.parked.front());
    node.parked.pop_front();
  } else if (--node.open == 0) {
    nodes_.erase(found);
  }
}

bool Exchange::may_retry(const Flight& flight) const {
  return !stopping_ && flight.tries <= std::min(options_.retries, flight.dialogue->most_retries());
}

void Exchange::try_again(const Flight& flight) {
  if (may_retry(flight)) {
    send(flight);
    return;
  }
  leave_node(flight.request.to);
  fail(flight, {MadFailure::Kind::unanswered, 0, flight.tries, {}});
}

void Exchange::fail(const Flight& flight, const MadFailure& failure) {
  flight.dialogue->failed(failure);
  go_on(*flight.dialogue);
}

void Exchange::give_up_late() {
  const Clock::time_point now = now_();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    try_again(land(flights_.find(deadlines_.begin()->second)));
  }
}

/// May exceed the deadline of a flight by less than a millisecond, but never that of step().
std::chrono::milliseconds Exchange::time_to_wait(Clock::time_point deadline) const {
  using std::chrono::milliseconds;
  const Clock::time_point now = now_();
  if (deadline <= now) return milliseconds(0);
  const auto until_deadline = std::chrono::floor<milliseconds>(deadline - now);
  if (deadlines_.empty()) return until_deadline;
  const auto first = std::max<Clock::duration>(deadlines_.begin()->first - now, {});
  return std::min(until_deadline, std::chrono::ceil<milliseconds>(first));
}

void Exchange::end_in_order() {
  constexpr std::chrono::milliseconds a_while{100};
  stop();
  while (step(now_() + a_while)) {
  }
}

void Exchange::abandon() {
  static Nothing nobody;
  const auto leave = [](std::deque<Flight>& unsent) {
    for (Flight& flight : unsent) flight.dialogue = &nobody;
  };
  waiting_.clear();
  leave(ready_);
  for (auto& [destination, node] : nodes_) leave(node.parked);
  for (auto& [transaction, flight] : flights_) flight.dialogue = &nobody;
  end_in_order();
}

void hold_dialogues(MadPort& port, std::span<Dialogue* const> dialogues,
                    const ExchangeOptions& options,
                    const std::function<void(std::size_t)>& progress,
                    const std::function<bool()>& stop) {
  constexpr std::chrono::milliseconds poll_interval{100};
  Exchange exchange(port, options);
  for (Dialogue* const dialogue : dialogues) exchange.add(*dialogue);
  bool goes_on = true;
  while (goes_on) {
    if (stop && stop()) exchange.stop();
    goes_on = exchange.step(Exchange::Clock::now() + poll_interval);
    progress(exchange.done());
  }
}

}  // namespace pssp
