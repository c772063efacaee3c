#pragma once

// The changes of the counters between two sweeps: differences and rates, with the detection of
// wraps, resets, saturation and impossible answers (docs/explanation/monitoring.md, "From counters
// to rates").

#include <cstdint>
#include <vector>

#include "monitor/counters/snapshot.h"

namespace pssp {

/// The differences of one port; all values refer to the time between its two readings.
struct PortDifference {
  std::uint64_t ns = 0;         ///< between the readings; 0: there is no difference
  CounterMask known = 0;        ///< counters with a valid difference
  CounterMask saturated = 0;    ///< counters at their largest value, which give no information
  CounterMask reset = 0;        ///< counters that were cleared between the readings
  CounterMask implausible = 0;  ///< counters that rose by more than the link can carry
  /// For known counters; otherwise 0. For transmit_wait, the words of four bytes that could have
  /// been sent in this time; the number of ticks if their length is unknown.
  CounterValues delta{};

  bool has(Counter counter) const noexcept { return (known & mask_of(counter)) != 0; }
  std::uint64_t of(Counter counter) const noexcept {
    return delta[static_cast<std::size_t>(counter)];
  }
  /// Per second; 0 if unknown.
  double per_second(Counter counter) const noexcept {
    return ns == 0 || !has(counter)
               ? 0
               : static_cast<double>(of(counter)) * 1e9 / static_cast<double>(ns);
  }
};

/// The difference of one counter is accepted up to 1.05 times what the link can carry in that time.
/// A reset of any counter invalidates the differences of all counters of its port, because these
/// have also counted from an unknown time.
///
/// By port of `after.map`. `ns` is 0 for ports that are missing in `before`, that were not read in
/// both sweeps, or whose reading in `before` may belong to another port. Ports are matched by node
/// GUID and number, so the maps may differ. O(ports).
std::vector<PortDifference> differences(const Snapshot& before, const Snapshot& after);

/// Share of the data rate of the link that was used in that direction, 0 .. 1; below 0: unknown
/// (rate or counter unknown). The time of a reading is the arrival of the answer, so the interval
/// can be wrong by a round trip. A full link can then seem to carry some percent more; the share is
/// limited to 1.
double utilisation(const PortDifference& difference, Counter data, const LinkRate& rate);
/// W / (W + D), where W are the words that could have been sent while waiting, and D are the words
/// sent (docs/explanation/monitoring.md, "Utilization and waiting"); below 0: unknown. 0 for a port
/// that neither sent nor waited.
double waiting_share(const PortDifference& difference);

}  // namespace pssp
