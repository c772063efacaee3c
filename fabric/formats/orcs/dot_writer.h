#pragma once

// Writes fabrics as directed graphs in the dot language, with their routes in the format of ORCS
// (Schneider, Hoefler, Lumsdaine, "ORCS: An Oblivious Routing Congestion Simulator", TR-675,
// section 2.1): a node is a host if its name begins with H; an edge is one direction of a link, and
// its attribute "comment" lists the destination hosts of its packets.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file_io.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// One direction of a link, which is one edge of the graph.
struct DotEdge {
  enum class Kind : std::uint8_t {
    channel,        ///< from switch to switch; index is a ChannelId
    to_end_port,    ///< from the switch to the end port; index is an EndPortId
    from_end_port,  ///< from the end port to its switch; index is an EndPortId
  };
  Kind kind = Kind::channel;
  std::uint32_t index = 0;
  friend bool operator==(const DotEdge&, const DotEdge&) = default;
};

/// Name and value as text; the writer quotes both if necessary.
struct DotAttribute {
  std::string name;
  std::string value;
  friend bool operator==(const DotAttribute&, const DotAttribute&) = default;
};

/// Appends attributes for an edge, such as a congestion and a color. Called once per edge, in the
/// order of the file. Of several attributes with one name, the last one is written.
using DotEdgeAttributes = std::function<void(DotEdge edge, std::vector<DotAttribute>& attributes)>;

/// Writes the graph. `tables`: null for a topology without routes (edges then have no "comment",
/// which ORCS needs and dot2osm does not, and hosts no LIDs). Omits what dot files cannot express:
/// end ports without a cable, LIDs of switches and all but the base LID of a port with LMC > 0
/// (docs/reference/formats.md). ORCS reads the result; so does parse_dot(), with names, GUIDs, LIDs
/// of hosts, port numbers and rates. Deterministic. O(size of the output), which is O(switches *
/// hosts) with tables; memory O(end ports + text of one switch).
void write_dot(const Fabric& fabric, const ForwardingTables* tables,
               const DotEdgeAttributes& attributes, const ContentSink& sink);

/// The whole graph in memory.
std::string to_dot(const Fabric& fabric, const ForwardingTables* tables,
                   const DotEdgeAttributes& attributes = {});

/// The names of the graph's nodes, by SwitchId and by EndPortId: the fabric's if ORCS can
/// distinguish hosts and switches by them, else "S-<guid>" and "H-<port guid>". Names of
/// aggregation nodes and routers that are not endpoints of traffic do not begin with H.
struct DotNames {
  std::vector<std::string> switches, end_ports;
};
DotNames dot_names(const Fabric& fabric);

}  // namespace pssp
