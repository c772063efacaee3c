#pragma once

// Finds cables that would relieve one channel, and by how much, under the observed traffic
// (docs/explanation/monitoring.md, "Advice on other tables").

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "monitor/analysis/traffic_matrix.h"

namespace pssp {

/// An additional cable, from a switch on a path before the channel to a switch behind it.
struct ExtraCable {
  SwitchId from, to;
  /// Ranks of the destinations whose entry at `from` would be the new cable, ascending. Their
  /// packets skip the switches between `from` and `to`.
  std::vector<std::uint32_t> destinations;
  std::size_t flows = 0;  ///< flows that would use the cable; all of them are on the channel now
  double bytes = 0;       ///< bytes of these flows
  double busy = 0;        ///< time of the channel relative to its current time
  double seconds = 0;     ///< time that the cable is busy
  /// Relative gain of the flows that are on the channel now: reduction of the time of the busiest
  /// link of a path, including the cables of hosts, as the mean over their bytes.
  double gain = 0;
};

struct CableAdvice {
  std::vector<ExtraCable> cables;  ///< by descending gain, then by relief of the channel
  std::size_t without_ports = 0;   ///< useful cables between switches of which at least one has no
                                   ///< free port
};

struct CableOptions {
  /// Number of ports without a cable, by SwitchId. Empty if unknown; all switches then count as
  /// having a free port.
  std::vector<std::uint32_t> free_ports;
  std::size_t most = 5;       ///< largest number of cables in the result
  std::size_t probes = 256;   ///< largest number of pairs of switches to examine
  double least_gain = 0.005;  ///< cables with a smaller gain are left out
  StopSignal stop = {};
};

/// Rates cables with the rate of the channel, each one alone, with all other entries unchanged.
/// `tables` are the current tables. Deterministic. O(hops of all flows + probes * hops of the
/// channel's flows). Throws Stopped.
CableAdvice helpful_cables(const Fabric& fabric, const ForwardingTables& tables,
                           const TrafficMatrix& matrix, ChannelId channel,
                           const CableOptions& options = {});

}  // namespace pssp
