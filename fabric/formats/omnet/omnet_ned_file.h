#pragma once

// Reads networks of the InfiniBand model for OMNeT++ in the language NED, as written by the scripts
// of the thesis "Exploring InfiniBand Congestion Control In Mesh Topologies" (section 3.5, appendix
// A) and in the examples of the model.

#include <string>
#include <string_view>
#include <vector>

#include "fabric/formats/topology_file.h"

namespace pssp {

struct OmnetNetwork {
  /// Without LIDs. GUIDs are assigned by order in the file, as in ibsim. Port p of the model,
  /// counted from 0, is port p + 1.
  TopologyFile topology;
  std::vector<NodeId> switches;  ///< in the order of the file
  /// In the order of the file, each with its LID in the model: "srcLid" if all hosts have one, else
  /// 1, 2, ... (the thesis, section 3.5.4).
  struct Host {
    NodeId id;
    Lid lid = no_lid;
  };
  std::vector<Host> hosts;
};

/// Submodules of the types Switch and HCA are the nodes; all others and their connections are
/// ignored. Rejects vectors of submodules, "for" and other statements that make connections. `name`
/// stands for the file in messages. Throws Error(unreadable_input) with file:line. O(size).
OmnetNetwork parse_omnet_ned(std::string_view text, std::string_view name);

}  // namespace pssp
