// A timer lowers each CCTI of its port and level at every expiry, and never stops; its initial
// phase is random. As events, these timers would dominate the run of a large fabric, mostly without
// effect. So an index stores the number of expiries already applied, and is updated when it is
// needed: when a packet is sent and when a BECN arrives. The result is the same, because an index
// has no other effect.
//
// The delay after a packet follows from the index at the beginning of the packet: a BECN that
// arrives meanwhile affects the next packet.

#include "simulator/congestion/injection_control.h"

#include <algorithm>

#include "base/random.h"
#include "congestion/injection_delay.h"

namespace pssp {
namespace {

constexpr std::uint64_t phase_purpose = 0x7068617365;

}  // namespace

InjectionControl::InjectionControl(const CongestionParameters* parameters, std::uint32_t hosts,
                                   std::uint64_t seed)
    : on_(parameters != nullptr) {
  if (parameters == nullptr) return;
  const AdapterCongestionParameters& set = parameters->adapters;
  by_level_ = set.port_control == CongestionScope::service_level;
  limit_ = parameters->table.ccti_limit();
  for (const CctEntry entry : parameters->table.entries) {
    delays_.push_back(delay_in_eighths(entry));
  }
  levels_.resize(service_levels);
  for (std::size_t level = 0; level < service_levels; ++level) {
    if ((set.control_map >> level & 1U) == 0) continue;
    const AdapterSlParameters& values = set.sl[level];
    levels_[level].timer =
        SimulatedTime{values.ccti_timer} * ccti_timer_unit_ns * picoseconds_per_nanosecond;
    levels_[level].increase = values.ccti_increase;
    levels_[level].least = std::min<std::uint32_t>(values.ccti_min, limit_);
  }
  phases_.resize(hosts * service_levels);
  for (std::uint32_t host = 0; host < hosts; ++host) {
    RandomGenerator random = random_stream(seed, phase_purpose, host);
    for (std::size_t level = 0; level < service_levels; ++level) {
      phases_[host * service_levels + level] = static_cast<SimulatedTime>(
          unit_interval(random()) * static_cast<double>(levels_[level].timer));
    }
  }
  if (!by_level_) return;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    states_.push_back(fresh(static_cast<std::uint8_t>(i % service_levels)));
  }
}

std::uint32_t InjectionControl::queue_pair(std::uint32_t host, std::uint16_t lid,
                                           std::uint8_t level) {
  const std::uint64_t key = (std::uint64_t{host} << 16U | lid) << 4U | level;
  const auto next = static_cast<std::uint32_t>(pairs_.size());
  const std::uint32_t pair = numbers_.find_or_add(key, next);
  if (pair != next) return pair;
  QueuePair made;
  made.host = static_cast<std::uint16_t>(host);
  made.level = level;
  if (by_level_) {
    made.state = host * static_cast<std::uint32_t>(service_levels) + level;
  } else {
    made.state = static_cast<std::uint32_t>(states_.size());
    states_.push_back(fresh(level));
  }
  pairs_.push_back(made);
  return pair;
}

std::size_t InjectionControl::bytes() const noexcept {
  return pairs_.capacity() * sizeof(QueuePair) + states_.capacity() * sizeof(State) +
         phases_.capacity() * sizeof(SimulatedTime) + numbers_.bytes();
}

}  // namespace pssp
