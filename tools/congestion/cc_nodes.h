#pragma once

// The nodes of a fabric with congestion control settings: switches and adapter ports.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "congestion/parameters.h"
#include "fabric/fabric.h"

namespace pssp {

struct CcNode {
  bool is_switch = false;
  Guid guid = 0;  ///< of the node for a switch, of the port for an adapter
  Lid lid = no_lid;
  std::string name;         ///< identifier in the topology file
  std::string description;  ///< NodeDescription
  /// For a switch: what each port is connected to, by port number. A port to an adapter (including
  /// SHARP aggregation nodes) or a router is host-facing.
  std::vector<PortRole> roles;
};

/// "switch NAME (DESCRIPTION), LID N" for messages.
std::string label(const CcNode& node);
/// "25 switches and 50 adapter ports"
std::string count_text(std::span<const CcNode> nodes);

struct CcNodes {
  std::vector<CcNode> nodes;  ///< switches by GUID, then adapter ports by GUID
  std::size_t without_lid =
      0;  ///< nodes that were left out because the topology has no LID of them
};
/// Routers have no congestion control settings and are not included.
CcNodes congestion_nodes(const Fabric& fabric);

/// Keeps the nodes named in `wanted` by GUID (0x...), name or description; all if it is empty.
/// Throws Error(usage) if one is not found.
std::vector<CcNode> select_nodes(std::vector<CcNode> nodes, std::span<const std::string> wanted);

}  // namespace pssp
