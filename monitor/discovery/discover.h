#pragma once

// The fabric as it is now, by a walk along directed routes (libibnetdisc), or as a file says.

#include <cstdint>
#include <string>

#include "monitor/discovery/found_fabric.h"

namespace pssp {

struct DiscoveryOptions {
  std::string adapter;  ///< empty: the first with an active port
  unsigned port = 0;    ///< 0: the first active one
  unsigned timeout_ms = 500;
  unsigned retries = 2;
  unsigned max_hops = 0;       ///< 0: 63
  unsigned max_requests = 32;  ///< on their way at a time
  std::uint64_t m_key = 0;
};

/// Walks over the fabric, on a port handle of its own, and blocks: a second where there are 700
/// switches, more where nodes are silent. May be called from any thread, from one at a time. The
/// library behind it remarks on nodes that do not answer on stderr. Throws Error(fabric_access).
DiscoveredFabric discover_fabric(const DiscoveryOptions& options);

/// The same of a topology file with LIDs (output of ibnetdiscover); ports that are cabled there
/// count as active. Throws Error(unreadable_input), also where the file has no LIDs.
DiscoveredFabric read_topology_map(const std::string& file);

}  // namespace pssp
