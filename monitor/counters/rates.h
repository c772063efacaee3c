#pragma once

// What happened at the ports between two sweeps: differences and rates, with wraps, resets,
// saturation and answers that cannot be true told apart (docs/explanation/monitoring.md,
// "From counters to rates").

#include <cstdint>
#include <vector>

#include "monitor/counters/snapshot.h"

namespace pssp {

/// The difference of one port; all figures are of the time between its two readings.
struct PortDifference {
  std::uint64_t ns = 0;         ///< between the readings; 0: there is no difference at all
  CounterMask known = 0;        ///< counters whose difference holds
  CounterMask saturated = 0;    ///< counters that stand at their largest value and say nothing
  CounterMask reset = 0;        ///< counters that somebody cleared in between
  CounterMask implausible = 0;  ///< counters that rose by more than the link can carry
  /// Of known counters; else 0. Of transmit_wait not ticks but the words of four bytes that could
  /// have been sent meanwhile, which is the same where no tick is stated.
  CounterValues delta{};

  bool has(Counter counter) const noexcept { return (known & mask_of(counter)) != 0; }
  std::uint64_t of(Counter counter) const noexcept {
    return delta[static_cast<std::size_t>(counter)];
  }
  /// A second; 0 where it is not known.
  double per_second(Counter counter) const noexcept {
    return ns == 0 || !has(counter)
               ? 0
               : static_cast<double>(of(counter)) * 1e9 / static_cast<double>(ns);
  }
};

/// The difference of one counter is believed up to 1.05 times what the link carries in that time. A
/// reset of any counter takes the differences of all of its port: the others count from an unknown
/// moment, too.
///
/// By port of `after.map`; ports that `before` has not, that were not read both times, or whose
/// reading in `before` may be another port's have `ns` 0. Ports are matched by node GUID and
/// number, so the maps may differ. O(ports).
std::vector<PortDifference> differences(const Snapshot& before, const Snapshot& after);

/// Share of the data rate of the link that was used in that direction, 0 .. 1; below 0: unknown (no
/// rate stated, counter not known). A reading is dated by the arrival of its answer, so the
/// interval may be wrong by a round trip and a full link may seem to carry some percent more: it
/// has 1.
double utilisation(const PortDifference& difference, Counter data, const LinkRate& rate);
/// W / (W + D) with W the words that could have been sent while waiting and D the words sent
/// (docs/explanation/monitoring.md, "Utilization and waiting"); below 0: unknown. A port that
/// neither sent nor waited has 0.
double waiting_share(const PortDifference& difference);

}  // namespace pssp
