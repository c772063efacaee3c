#pragma once

// The small subnet of the tests of discovery behind a fuzzer: what it answers is changed, repeated,
// withheld or made up as the input says.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>

#include "tests/monitor/discovery/simulated_subnet.h"

namespace pssp::test {

class HostilePort final : public MadPort {
 public:
  /// The first byte: at the end of the input, it begins again (odd), or all is as it should be
  /// (even). Then a byte for each MAD that arrives says what becomes of it, and those behind it
  /// how.
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
  std::map<std::uint16_t, MadBytes> last_;  // answers, by attribute
  std::deque<ReceivedMad> repeated_;
};

}  // namespace pssp::test
