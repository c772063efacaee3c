#pragma once

// How adapters throttle their queue pairs: the index into the congestion control table, its timer,
// and the delay after each packet.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "congestion/parameters.h"
#include "simulator/kernel/index_map.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// All adapters of a run. If congestion control is off, there are no queue pairs.
class InjectionControl {
 public:
  InjectionControl(const CongestionParameters* parameters, std::uint32_t hosts, std::uint64_t seed);

  bool on() const noexcept { return on_; }

  /// The queue pair of a host to a LID on a level; creates it if needed. Mean O(1).
  std::uint32_t queue_pair(std::uint32_t host, std::uint16_t lid, std::uint8_t level);
  std::uint32_t host_of(std::uint32_t pair) const noexcept { return pairs_[pair].host; }
  std::uint8_t level_of(std::uint32_t pair) const noexcept { return pairs_[pair].level; }
  /// When its next packet may begin.
  SimulatedTime ready(std::uint32_t pair) const noexcept { return pairs_[pair].ready; }

  /// Begins to send a packet of duration `time`: the next packet waits for the delay after it.
  void sent(std::uint32_t pair, SimulatedTime now, SimulatedTime time) {
    QueuePair& sender = pairs_[pair];
    const std::uint64_t eighths = delays_[index(pair, now)];
    sender.ready = now + time +
                   static_cast<SimulatedTime>((static_cast<std::uint64_t>(time) * eighths + 4) / 8);
  }
  /// Processes a BECN.
  void notice(std::uint32_t pair, SimulatedTime now) {
    State& state = looked_at(pair, now);
    const std::uint32_t raised = state.index + levels_[pairs_[pair].level].increase;
    state.index = raised < limit_ ? raised : limit_;
  }
  /// Its current CCTI.
  std::uint32_t index(std::uint32_t pair, SimulatedTime now) { return looked_at(pair, now).index; }

  /// The timer of a host's level first expires one period minus this time after the start.
  SimulatedTime phase(std::uint32_t host, std::uint8_t level) const noexcept {
    return phases_[host * service_levels + level];
  }

  std::size_t bytes() const noexcept;

 private:
  struct QueuePair {
    SimulatedTime ready = 0;
    std::uint32_t state = 0;
    std::uint16_t host = 0;
    std::uint8_t level = 0;
  };
  /// A CCTI at its last update.
  struct State {
    std::int64_t expiries = 0;  ///< of its timer until the last update
    std::uint32_t index = 0;
  };
  struct Level {
    SimulatedTime timer = 0;  ///< period; 0: the index never falls
    std::uint32_t increase = 0, least = 0;
  };

  State fresh(std::uint8_t level) const { return {0, levels_[level].least}; }

  /// Lowers the CCTI by one for each expiry since the last update, down to its minimum.
  State& looked_at(std::uint32_t pair, SimulatedTime now) {
    const QueuePair& owner = pairs_[pair];
    const Level& level = levels_[owner.level];
    State& state = states_[owner.state];
    if (level.timer == 0) return state;
    const std::int64_t expiries =
        (now + phases_[owner.host * service_levels + owner.level]) / level.timer;
    const std::int64_t falls = expiries - state.expiries;
    const std::int64_t above = state.index - level.least;
    state.index -= static_cast<std::uint32_t>(falls < above ? falls : above);
    state.expiries = expiries;
    return state;
  }

  bool on_ = false, by_level_ = false;
  std::uint32_t limit_ = 0;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> delays_;  // by CCTI, in eighths of the packet time
  std::vector<SimulatedTime> phases_;  // [host * 16 + level]
  std::vector<QueuePair> pairs_;
  std::vector<State> states_;
  IndexMap numbers_;
};

}  // namespace pssp
