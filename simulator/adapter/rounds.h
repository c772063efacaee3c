#pragma once

// How far the rounds of a traffic are.

#include <cstdint>
#include <vector>

#include "simulator/traffic/traffic.h"

namespace pssp {

/// `traffic` must outlive the object.
class Rounds {
 public:
  explicit Rounds(const Traffic& traffic);

  /// Begins the next round of RoundTraffic `number` that sends anything; rounds without flows
  /// between different hosts end at once. Its flows, or null when all rounds are over.
  const std::vector<Flow>* begin(std::uint32_t number, SimulatedTime now);
  /// So many bytes of it have arrived. True: the round is over.
  bool took(std::uint32_t number, std::uint32_t bytes, SimulatedTime now);
  /// Of all RoundTraffic one after the other; `never` of rounds that did not end.
  std::vector<SimulatedTime> ends() const;

 private:
  struct State {
    std::size_t next = 0;    ///< round
    std::uint64_t left = 0;  ///< bytes of the present one
    std::vector<SimulatedTime> ends;
  };

  const Traffic& traffic_;
  std::vector<State> states_;
};

}  // namespace pssp
