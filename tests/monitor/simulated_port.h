#pragma once

// A MAD port for tests that simulate the other side. It has its own clock: answers arrive at once,
// and requests without an answer time out.

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "wire/mad_port.h"

namespace pssp::test {

class SimulatedPort : public MadPort {
 public:
  using Clock = std::chrono::steady_clock;

  std::string send_error() const final { return {}; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) final {
    using namespace std::chrono_literals;
    if (arriving_.empty()) {
      now += wait;
      return std::nullopt;
    }
    const ReceivedMad mad = arriving_.front();
    arriving_.pop_front();
    now += mad.timed_out ? 100us : 1us;
    return mad;
  }

  Clock::time_point now{std::chrono::hours(1)};

 protected:
  void arrives(const MadBytes& answer) { arriving_.push_back({answer, false}); }
  void times_out(const MadBytes& request) { arriving_.push_back({request, true}); }

 private:
  std::deque<ReceivedMad> arriving_;
};

}  // namespace pssp::test
