#pragma once

// Where packets went bad that another port complains of: packets that are marked bad
// (PortRcvRemotePhysicalErrors) and packets that were thrown away (PortXmitDiscards) may have been
// damaged on a cable far away, and the port of that cable has counted it (PortRcvErrors).

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "monitor/discovery/live_tables.h"

namespace pssp {

struct ErrorOrigin {
  std::uint32_t port = 0;  ///< index into FabricMap::ports: it received them damaged
  std::uint64_t errors = 0;
  unsigned hops = 0;  ///< switches between it and who complains; 0: at the same one
};

/// What a port counted lately.
using WindowOf = std::function<PortWindow(std::uint32_t port)>;

/// Of the ports before `port`, on routes that lead through it, the one that received the most
/// packets with errors; of equal ones the nearest. `arrived`: they came in at the port, else they
/// were to leave by it. `tables` may be null: then every way is a route. Nothing where no port
/// before it counts errors. O(ports of the switches within eight hops x LIDs).
std::optional<ErrorOrigin> origin_of_errors(const FabricMap& map, std::uint32_t port, bool arrived,
                                            const WindowOf& window, const LiveTables* tables);

/// Appends the most probable origin to the reasons of verdicts on such packets.
void name_origins(const FabricMap& map, std::vector<Verdict>& verdicts, const WindowOf& window,
                  const LiveTables* tables);

}  // namespace pssp
