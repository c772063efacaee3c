#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.h"
#include "congestion/profiles.h"
#include "simulator/congestion/injection_control.h"

namespace pssp {
namespace {

/// Simulates each expiry of the timer separately.
class NaiveIndex {
 public:
  NaiveIndex(SimulatedTime timer, SimulatedTime phase, std::uint32_t least, std::uint32_t limit)
      : timer_(timer), next_(timer - phase), least_(least), limit_(limit), index_(least) {}

  std::uint32_t at(SimulatedTime now) {
    for (; next_ <= now; next_ += timer_) {
      if (index_ > least_) --index_;
    }
    return index_;
  }
  void notice(SimulatedTime now, std::uint32_t increase) {
    index_ = std::min(at(now) + increase, limit_);
  }

 private:
  SimulatedTime timer_, next_;
  std::uint32_t least_, limit_, index_;
};

}  // namespace

TEST_CASE(
    "oracle 14: an index computed on demand equals an index decremented at each timer expiry") {
  SplitMix64 random(14);
  for (std::uint32_t round = 0; round < 50; ++round) {
    CongestionParameters set = load_congestion_parameters("thesis-start");
    for (AdapterSlParameters& level : set.adapters.sl) {
      level.ccti_timer = static_cast<std::uint16_t>(1 + random() % 300);
      level.ccti_increase = static_cast<std::uint8_t>(random() % 5);
      level.ccti_min = static_cast<std::uint8_t>(random() % 8);
    }
    const bool by_level = round % 2 == 1;
    if (by_level) set.adapters.port_control = CongestionScope::service_level;
    InjectionControl control(&set, 3, round);
    const std::uint8_t level = round % service_levels;
    const AdapterSlParameters& values = set.adapters.sl[level];
    const std::uint32_t pairs[] = {control.queue_pair(2, 7, level),
                                   control.queue_pair(2, 8, level)};
    const NaiveIndex fresh(SimulatedTime{values.ccti_timer} * 1'024'000, control.phase(2, level),
                           values.ccti_min, set.table.ccti_limit());
    NaiveIndex naive[] = {fresh, fresh};
    SimulatedTime now = 0;
    std::uint32_t wrong = 0;
    for (int step = 0; step < 2'000; ++step) {
      now += static_cast<SimulatedTime>(random() % 60'000'000);
      const std::size_t which = random() % 2;
      if (random() % 2 == 0) {
        control.notice(pairs[which], now);
        naive[by_level ? 0 : which].notice(now, values.ccti_increase);
      }
      if (control.index(pairs[which], now) != naive[by_level ? 0 : which].at(now)) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a timer of 0 keeps the index, and service levels outside the control map do not react") {
  CongestionParameters set = load_congestion_parameters("thesis-start");
  set.adapters.control_map = 1;
  set.adapters.sl[0].ccti_timer = 0;
  InjectionControl control(&set, 1, 1);
  const std::uint32_t named = control.queue_pair(0, 1, 0);
  const std::uint32_t other = control.queue_pair(0, 1, 1);
  control.notice(named, 10);
  control.notice(other, 10);
  CHECK(control.index(named, picoseconds_per_second) == 1);
  CHECK(control.index(other, picoseconds_per_second) == 0);
}

}  // namespace pssp
