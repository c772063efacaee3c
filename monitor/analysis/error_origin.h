#pragma once

// Finds where packets were damaged that another port reports. Packets that are marked bad
// (PortRcvRemotePhysicalErrors) or discarded (PortXmitDiscards) may have been damaged on a distant
// cable; the port of that cable counted them (PortRcvErrors).

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "monitor/discovery/live_tables.h"

namespace pssp {

struct ErrorOrigin {
  std::uint32_t port = 0;  ///< index into FabricMap::ports: port that received the damaged packets
  std::uint64_t errors = 0;
  unsigned hops = 0;  ///< switches between this port and the reporting port; 0: at the same switch
};

/// The recent counters of a port.
using WindowOf = std::function<PortWindow(std::uint32_t port)>;

/// The port before `port`, on a route that leads through it, that received the most packets with
/// errors; if equal, the nearest. `arrived`: the packets arrived at `port`; otherwise they were to
/// leave by it. `tables` may be null: every path is a route then. Returns nullopt if no port before
/// it counts errors. O(ports of the switches within eight hops x LIDs).
std::optional<ErrorOrigin> origin_of_errors(const FabricMap& map, std::uint32_t port, bool arrived,
                                            const WindowOf& window, const LiveTables* tables);

/// Appends the most probable origin to the reasons of verdicts on such packets.
void name_origins(const FabricMap& map, std::vector<Verdict>& verdicts, const WindowOf& window,
                  const LiveTables* tables);

}  // namespace pssp
