#pragma once

// Tracks the rounds of a traffic.

#include <cstdint>
#include <vector>

#include "simulator/traffic/traffic.h"

namespace pssp {

/// `traffic` must outlive the object.
class Rounds {
 public:
  explicit Rounds(const Traffic& traffic);

  /// Begins the next nonempty round of RoundTraffic `number`; rounds without flows between
  /// different hosts end at once. Returns its flows, or null after the last round.
  const std::vector<Flow>* begin(std::uint32_t number, SimulatedTime now);
  /// Records the arrival of `bytes` of the round. Returns whether the round is over.
  bool took(std::uint32_t number, std::uint32_t bytes, SimulatedTime now);
  /// End times of all RoundTraffic, one after the other; `never` for rounds that did not end.
  std::vector<SimulatedTime> ends() const;

 private:
  struct State {
    std::size_t next = 0;    ///< round
    std::uint64_t left = 0;  ///< bytes of the current round that have not arrived
    std::vector<SimulatedTime> ends;
  };

  const Traffic& traffic_;
  std::vector<State> states_;
};

}  // namespace pssp
