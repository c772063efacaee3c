#pragma once

// A small simulated subnet whose answers are changed, repeated, withheld or made up according to
// the input of the fuzzer.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>

#include "tests/monitor/discovery/simulated_subnet.h"

namespace pssp::test {

class HostilePort final : public MadPort {
 public:
  /// If the first byte is odd, the input starts again at its end; if it is even, answers after the
  /// end are unchanged. Then one byte for each received MAD selects a disturbance, and further
  /// bytes are its parameters.
  explicit HostilePort(std::string_view input);

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds timeout) override;
  std::string send_error() const override { return {}; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override;

  SimulatedPort::Clock::time_point& now() { return subnet_.now; }
  std::size_t sent() const noexcept { return sent_; }

 private:
  std::uint8_t byte();
  void disturb(ReceivedMad& mad);
  void make_up(ReceivedMad& mad);
  void change(MadBytes& bytes, std::size_t first, std::size_t positions);

  SimulatedSubnet subnet_;
  std::string_view input_;
  std::size_t at_ = 1;
  bool again_ = false;
  std::size_t sent_ = 0;
  std::map<std::uint16_t, MadBytes> last_;  // last answers, by attribute
  std::deque<ReceivedMad> repeated_;
};

}  // namespace pssp::test
