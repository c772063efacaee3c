#pragma once

// The results of a walk over the fabric, before they become a map.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/ids.h"
#include "fabric/link_rate.h"
#include "monitor/counters/fabric_map.h"
#include "wire/destination.h"
#include "wire/subnet/port_info.h"

namespace pssp {

struct FoundPort {
  PortNumber number = 1;
  Guid guid = 0;
  PortInfo info;
  bool runs_fdr10 = false;
  Guid far_node = 0;  ///< 0: no node was found behind the port
  PortNumber far_port = 0;
};

struct FoundNode {
  Guid guid = 0;
  NodeKind kind = NodeKind::channel_adapter;
  unsigned ports = 0;  ///< external ports
  std::uint32_t vendor = 0, device = 0;
  std::string description;
  Lid lid = no_lid;  ///< of a switch
  std::uint8_t lmc = 0;
  DirectedRoute route;                 ///< from the port of this program
  std::vector<FoundPort> found_ports;  ///< ports that answered; never port 0
};

/// A map and additional results.
struct DiscoveredFabric {
  std::shared_ptr<FabricMap> map;     ///< the caller sets `generation` and `time_ms`
  std::vector<DirectedRoute> routes;  ///< by node of the map; empty for a topology file
  std::string problem;  ///< why map->fabric is null, or what was left out; empty if neither
};

/// Sorts the results for a map. Nodes with GUID 0 or without ports are left out. O(nodes log nodes
/// + ports).
DiscoveredFabric to_fabric_map(const std::vector<FoundNode>& nodes);

/// Active width and speed.
LinkRate link_rate_of(const PortInfo& info, bool runs_fdr10);

/// Computes FabricMap::hash from nodes, cables and rates, but not from names, LIDs or states.
std::uint64_t hash_of_map(const FabricMap& map);
/// Compares everything except generation and time.
std::uint64_t hash_of_all(const FabricMap& map);

}  // namespace pssp
