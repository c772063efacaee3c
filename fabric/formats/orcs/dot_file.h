#pragma once

// Reader of fabrics and routes in the dot format of ORCS (Schneider, Hoefler, Lumsdaine, "ORCS: An
// Oblivious Routing Congestion Simulator", TR-675, section 2.1), as its simulator and its tools
// read and write it.

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

/// What the edges of a graph say beyond topology and routes (colours, labels, weights), by the port
/// that they leave. Edges of one statement (a -> b -> c [...]) share theirs.
class DotEdgeNotes {
 public:
  using Notes = std::shared_ptr<const std::vector<DotAttribute>>;

  void add_of_switch(Guid switch_guid, PortNumber port, Notes notes);
  void add_of_end_port(Guid port_guid, Notes notes);
  /// Appends them in the order of the file; nothing where there are none. O(log edges).
  void append(const Fabric& fabric, DotEdge edge, std::vector<DotAttribute>& attributes) const;

 private:
  std::map<std::pair<Guid, PortNumber>, Notes> of_switches_;
  std::map<Guid, Notes> of_end_ports_;
};

struct DotFile {
  /// Without LIDs. GUIDs that the file does not state are given by order in the file as ibsim does.
  TopologyFile topology;
  /// Nothing when no edge has a "comment". A host's LID is its attribute "lid" where all hosts have
  /// one, else hosts have LIDs 1, 2, ... in the order of the file; switches have none.
  std::optional<LftFile> tables;
  DotEdgeNotes notes;
};

/// Nodes whose name begins with H are hosts, or whose attribute "kind" is "router" or "aggregation
/// node"; all others are switches. The edges out of a node are its ports: by number where all of
/// its edges have a "key" that is one, else in the order in which ORCS walks over them: by the node
/// that they lead to, in the order of first mention, then as in the file. Of the edges between two
/// nodes the first in one direction is the reverse of the first in the other, and so on. Packets
/// for a host take the first edge, in that order, whose comment is "*" or lists it. Throws
/// Error(unreadable_input) with file:line. O(size).
/// `name` stands for the file in messages.
DotFile parse_dot(std::string_view text, std::string_view name);

}  // namespace pssp
