#pragma once

// Which cable would help one channel, and by how much, under the traffic that was counted
// (docs/explanation/monitoring.md, "Advice on other tables").

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "monitor/analysis/traffic_matrix.h"

namespace pssp {

/// A cable more, from a switch on the ways to the channel to one behind it.
struct ExtraCable {
  SwitchId from, to;
  /// Ranks whose entry at `from` would be the new cable, ascending: what lies between `from` and
  /// `to` is left out then.
  std::vector<std::uint32_t> destinations;
  std::size_t flows = 0;  ///< that would use it; all of them are on the channel now
  double bytes = 0;       ///< of these flows
  double busy = 0;        ///< the channel's time over that of now
  double seconds = 0;     ///< that the cable itself is busy
  /// Part by which the flows that are on the channel now get better: of the time of the busiest
  /// link on the way, mean over their bytes, those of hosts included.
  double gain = 0;
};

struct CableAdvice {
  std::vector<ExtraCable> cables;  ///< by descending gain, then by relief of the channel
  std::size_t without_ports = 0;   ///< cables that would help, at switches without a free port
};

struct CableOptions {
  /// By SwitchId: how many ports have no cable; empty: no one knows, and all are taken to have one.
  std::vector<std::uint32_t> free_ports;
  std::size_t most = 5;       ///< cables that are named
  std::size_t probes = 256;   ///< pairs of switches that are looked at closely
  double least_gain = 0.005;  ///< cables that help by less are not named
  StopSignal stop = {};
};

/// Cables of the rate of the channel; each alone, with all other entries as they are. `tables`:
/// those in force. Deterministic. O(hops of all flows + looks * hops of the channel's flows).
/// Throws Stopped.
CableAdvice helpful_cables(const Fabric& fabric, const ForwardingTables& tables,
                           const TrafficMatrix& matrix, ChannelId channel,
                           const CableOptions& options = {});

}  // namespace pssp
