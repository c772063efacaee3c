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

/// Servers are hosts of a node type (node_type_source.h) other than the most frequent one. In case
/// of a tie, the node type of the first host counts as the most frequent one. The node type must be
/// listed in a file, or its hosts must share a switch with hosts of the most frequent type. If
/// there are no such hosts, the last host of each switch with several hosts is a server, in the
/// order of `hosts`. `hosts` contains endpoints. O(hosts log hosts + end ports).
ServersAndNodes find_servers(const Fabric& fabric, const std::vector<EndPortId>& hosts);

}  // namespace pssp
