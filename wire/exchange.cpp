// Many dialogues over one port.
//
// A request that is on its way is a flight. A flight is recognised by the lower half of its
// transaction ID, which no two of them share; a retry is a new flight, so that a late answer to the
// first try, like anything else that is not the answer to a flight, is dropped. (To set the same
// values twice does no harm.)
//
// The kernel gives a request back when its time is over. Should it not, a flight has a deadline of
// its own, somewhat later. A node that says it is busy is asked again at the deadline.

#include "wire/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pssp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint16_t busy = 0x0001;
/// What the kernel has beyond the time-out before we look ourselves.
constexpr std::chrono::milliseconds grace{1000};

struct Flight {
  Dialogue* dialogue = nullptr;
  CcRequest request;
  unsigned tries = 0;
  Clock::time_point deadline;
};

class Exchange {
 public:
  Exchange(MadPort& port, std::span<Dialogue* const> dialogues, const ExchangeOptions& options)
      : port_(port), waiting_(dialogues), options_(options) {}

  void run(const std::function<void(std::size_t)>& progress) {
    while (!waiting_.empty() || !flights_.empty()) {
      while (!waiting_.empty() && flights_.size() < options_.window) {
        Dialogue& dialogue = *waiting_.front();
        waiting_ = waiting_.subspan(1);
        go_on(dialogue);
      }
      if (!flights_.empty()) {
        if (const auto mad = port_.receive(time_to_deadline())) arrive(*mad);
        give_up_late();
      }
      progress(done_);
    }
  }

 private:
  void go_on(Dialogue& dialogue) {
    const std::optional<CcRequest> request = dialogue.next();
    if (!request) {
      ++done_;
      return;
    }
    send({&dialogue, *request, 0, {}});
  }

  void send(Flight flight) {
    ++flight.tries;
    flight.deadline = Clock::now() + options_.timeout + grace;
    const std::uint32_t transaction = ++last_transaction_;
    if (!port_.send(encode(flight.request, options_.cc_key, transaction), flight.dialogue->lid(),
                    options_.timeout)) {
      fail(flight, fmt::format("could not be sent: {}", port_.send_error()));
      return;
    }
    flights_.emplace(transaction, flight);
  }

  void arrive(const ReceivedMad& mad) {
    const auto found = flights_.find(transaction_of(mad.bytes));
    if (found == flights_.end()) return;
    Flight& flight = found->second;
    if (mad.timed_out) {
      try_again(flights_.extract(found).mapped());
      return;
    }
    if (!answers(mad.bytes, flight.request)) return;
    const CcResponse response = decode_response(mad.bytes);
    if (response.status == busy && flight.tries <= options_.retries) {
      flight.deadline = Clock::now() + options_.timeout;
      return;
    }
    const Flight landed = flights_.extract(found).mapped();
    if (response.status != 0) {
      fail(landed, "refused, " + explain_mad_status(response.status));
      return;
    }
    landed.dialogue->take(response.data);
    go_on(*landed.dialogue);
  }

  void try_again(const Flight& flight) {
    if (flight.tries <= options_.retries) {
      send(flight);
    } else {
      fail(flight, fmt::format("no answer to {} requests", flight.tries));
    }
  }

  void fail(const Flight& flight, const std::string& why) {
    flight.dialogue->fail(
        fmt::format("{} {}: {}", name_of(flight.request.attribute),
                    flight.request.method == CcMethod::set ? "not set" : "not read", why));
    ++done_;
  }

  void give_up_late() {
    const Clock::time_point now = Clock::now();
    for (auto flight = flights_.begin(); flight != flights_.end();) {
      if (flight->second.deadline > now) {
        ++flight;
        continue;
      }
      // Sent anew it gets a higher transaction ID: it is behind us in the map, not lost.
      const Flight late = flight->second;
      flight = flights_.erase(flight);
      try_again(late);
    }
  }

  std::chrono::milliseconds time_to_deadline() const {
    const auto first = std::ranges::min_element(
        flights_, {}, [](const auto& flight) { return flight.second.deadline; });
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::max<Clock::duration>(first->second.deadline - Clock::now(), {}));
  }

  MadPort& port_;
  std::span<Dialogue* const> waiting_;
  const ExchangeOptions& options_;
  std::map<std::uint32_t, Flight> flights_;  // by transaction
  std::uint32_t last_transaction_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

void hold_dialogues(MadPort& port, std::span<Dialogue* const> dialogues,
                    const ExchangeOptions& options,
                    const std::function<void(std::size_t)>& progress) {
  Exchange(port, dialogues, options).run(progress);
}

}  // namespace pssp
