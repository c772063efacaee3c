#pragma once

// Reads fabrics and routes in the dot format of ORCS (Schneider, Hoefler, Lumsdaine, "ORCS: An
// Oblivious Routing Congestion Simulator", TR-675, section 2.1), as its simulator and tools read
// and write it.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "fabric/formats/topology_file.h"

namespace pssp {

/// Attributes of a graph's edges other than topology and routes (colors, labels, weights), by
/// output port. Edges of one statement (a -> b -> c [...]) share them.
class DotEdgeNotes {
 public:
  using Notes = std::shared_ptr<const std::vector<DotAttribute>>;

  void add_of_switch(Guid switch_guid, PortNumber port, Notes notes);
  void add_of_end_port(Guid port_guid, Notes notes);
  /// Appends them in the order of the file. O(log edges).
  void append(const Fabric& fabric, DotEdge edge, std::vector<DotAttribute>& attributes) const;

 private:
  std::map<std::pair<Guid, PortNumber>, Notes> of_switches_;
  std::map<Guid, Notes> of_end_ports_;
};

struct DotFile {
  /// Without LIDs. Missing GUIDs are assigned by order in the file, as in ibsim.
  TopologyFile topology;
  /// None if no edge has a "comment". A host's LID is its attribute "lid" if all hosts have one,
  /// else hosts have LIDs 1, 2, ... in the order of the file; switches have none.
  std::optional<LftFile> tables;
  DotEdgeNotes notes;
};

/// Nodes whose name begins with H are hosts, as are nodes whose attribute "kind" is "router" or
/// "aggregation node"; all others are switches. The edges out of a node are its ports: by number if
/// all of its edges have a numeric "key", else in the order in which ORCS iterates over them: by
/// the node that they lead to, in the order of first mention, then as in the file. Of the edges
/// between two nodes, the first in one direction is the reverse of the first in the other, and so
/// on. Packets to a host take the first edge, in that order, whose comment is "*" or lists it.
/// `name` stands for the file in messages. Throws Error(unreadable_input) with file:line. O(size).
DotFile parse_dot(std::string_view text, std::string_view name);

}  // namespace pssp
