#pragma once

// What a walk over the fabric found, before anything is made of it.

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
  Guid far_node = 0;  ///< 0: nothing was found behind it
  PortNumber far_port = 0;
};

struct FoundNode {
  Guid guid = 0;
  NodeKind kind = NodeKind::channel_adapter;
  unsigned ports = 0;  ///< external ones
  std::uint32_t vendor = 0, device = 0;
  std::string description;
  Lid lid = no_lid;  ///< of a switch
  std::uint8_t lmc = 0;
  DirectedRoute route;                 ///< from here
  std::vector<FoundPort> found_ports;  ///< those that answered; never port 0
};

/// A map and what is known of it beside.
struct DiscoveredFabric {
  std::shared_ptr<FabricMap> map;     ///< `generation` and `time_ms` are for the caller
  std::vector<DirectedRoute> routes;  ///< by node of the map; empty of a topology file
  std::string problem;  ///< why map->fabric is null, or what was left out; empty where all is well
};

/// Brings what was found into the order of maps. Nodes with GUID 0 or without ports are left out.
/// O(nodes log nodes + ports).
DiscoveredFabric to_fabric_map(const std::vector<FoundNode>& nodes);

/// Active width and speed.
LinkRate link_rate_of(const PortInfo& info, bool runs_fdr10);

/// What FabricMap::hash is: nodes, cables and rates; neither names nor LIDs nor states.
std::uint64_t hash_of_map(const FabricMap& map);
/// Of everything but generation and time.
std::uint64_t hash_of_all(const FabricMap& map);

}  // namespace pssp
