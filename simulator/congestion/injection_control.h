#pragma once

// How adapters slow their queue pairs down: the index into the congestion control table, its timer,
// and the delay after each packet.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "congestion/parameters.h"
#include "simulator/kernel/index_map.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// All adapters of a run. Off: there are no queue pairs.
class InjectionControl {
 public:
  InjectionControl(const CongestionParameters* parameters, std::uint32_t hosts, std::uint64_t seed);

  bool on() const noexcept { return on_; }

  /// The queue pair of a host to a LID on a level; made where there is none yet. O(1) in the mean.
  std::uint32_t queue_pair(std::uint32_t host, std::uint16_t lid, std::uint8_t level);
  std::uint32_t host_of(std::uint32_t pair) const noexcept { return pairs_[pair].host; }
  std::uint8_t level_of(std::uint32_t pair) const noexcept { return pairs_[pair].level; }
  /// When its next packet may begin.
  SimulatedTime ready(std::uint32_t pair) const noexcept { return pairs_[pair].ready; }

  /// It begins to send a packet that takes so long: the next one waits for the delay behind it.
  void sent(std::uint32_t pair, SimulatedTime now, SimulatedTime time) {
    QueuePair& sender = pairs_[pair];
    const std::uint64_t eighths = delays_[index(pair, now)];
    sender.ready = now + time +
                   static_cast<SimulatedTime>((static_cast<std::uint64_t>(time) * eighths + 4) / 8);
  }
  /// A BECN has come for it.
  void notice(std::uint32_t pair, SimulatedTime now) {
    State& state = looked_at(pair, now);
    const std::uint32_t raised = state.index + levels_[pairs_[pair].level].increase;
    state.index = raised < limit_ ? raised : limit_;
  }
  /// Its CCTI now.
  std::uint32_t index(std::uint32_t pair, SimulatedTime now) { return looked_at(pair, now).index; }

  /// The timer of a host's level first expires its period less this after the start.
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
  /// A CCTI as it was when it was looked at last.
  struct State {
    std::int64_t expiries = 0;  ///< of its timer until then
    std::uint32_t index = 0;
  };
  struct Level {
    SimulatedTime timer = 0;  ///< 0: the index never falls
    std::uint32_t increase = 0, least = 0;
  };

  State fresh(std::uint8_t level) const { return {0, levels_[level].least}; }

  /// Each expiry since the last look has lowered it by one, down to its least.
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
  std::vector<std::uint32_t> delays_;  // by CCTI, eighths of the time of the packet
  std::vector<SimulatedTime> phases_;  // [host * 16 + level]
  std::vector<QueuePair> pairs_;
  std::vector<State> states_;
  IndexMap numbers_;
};

}  // namespace pssp
