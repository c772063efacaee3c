#pragma once

// Who serves among the hosts, and who computes.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Positions in a list of hosts, ascending; every host is in one of the two.
struct ServersAndNodes {
  std::vector<std::uint32_t> servers, nodes;
  /// Whether node types tell the servers; otherwise the last host of each switch is taken for one.
  bool by_type = false;
};

/// Servers: hosts of the node types (node_type_source.h) other than that of most hosts (of equals
/// that of the first host) which a file tells, or which share a switch with it. Where there are
/// none, the last host, in the order of `hosts`, of each switch with several. `hosts`: endpoints.
/// O(hosts log hosts + end ports).
ServersAndNodes find_servers(const Fabric& fabric, const std::vector<EndPortId>& hosts);

}  // namespace pssp
