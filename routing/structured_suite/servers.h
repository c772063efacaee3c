#pragma once

// Divides hosts into servers and compute nodes.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Positions in a list of hosts, ascending; every host is in exactly one of the two lists.
struct ServersAndNodes {
  std::vector<std::uint32_t> servers, nodes;
  /// Whether node types identify the servers; otherwise, the last host of each switch is a server.
  bool by_type = false;
};

/// Servers are hosts of other node types (node_type_source.h) than the most frequent one (if
/// several are equally frequent, that of the first host) that are listed in a file or share a
/// switch with it. If there are none, the last host of each switch with several hosts is a server,
/// in the order of `hosts`. `hosts` contains endpoints. O(hosts log hosts + end ports).
ServersAndNodes find_servers(const Fabric& fabric, const std::vector<EndPortId>& hosts);

}  // namespace pssp
