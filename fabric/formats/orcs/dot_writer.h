#pragma once

// Writer of fabrics as directed graphs in the dot language, with their routes as ORCS reads them
// (Schneider, Hoefler, Lumsdaine, "ORCS: An Oblivious Routing Congestion Simulator", TR-675,
// section 2.1): a node is a host when its name begins with H; an edge is one direction of a link,
// and its attribute "comment" lists the hosts that packets over it go to.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file_io.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// One direction of one link, which is one edge of the graph.
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

/// Name and value as text; both are quoted by the writer where the language needs it.
struct DotAttribute {
  std::string name;
  std::string value;
  friend bool operator==(const DotAttribute&, const DotAttribute&) = default;
};

/// Appends attributes for an edge, such as a congestion and a colour. Called once an edge, in the
/// order of the file. Of several attributes of one name the last one is written.
using DotEdgeAttributes = std::function<void(DotEdge edge, std::vector<DotAttribute>& attributes)>;

/// Writes the graph. `tables`: null for a topology without routes (edges then have no "comment",
/// which ORCS needs, and dot2osm does not, and hosts no LIDs). What a dot file cannot say is left
/// out: end ports without a cable, LIDs of switches and all but the base LID of a port with LMC > 0
/// (docs/reference/formats.md). ORCS reads the result; so does read_dot(), with names, GUIDs, LIDs
/// of hosts, port numbers and rates. Deterministic. O(size of the output), which is O(switches *
/// hosts) with tables; the memory is O(end ports + text of one switch).
void write_dot(const Fabric& fabric, const ForwardingTables* tables,
               const DotEdgeAttributes& attributes, const ContentSink& sink);

/// The whole graph in memory.
std::string to_dot(const Fabric& fabric, const ForwardingTables* tables,
                   const DotEdgeAttributes& attributes = {});

/// The names that the graph's nodes have, by SwitchId and by EndPortId: the fabric's where ORCS can
/// tell hosts from switches by them, else "S-<guid>" and "H-<port guid>". Aggregation nodes and
/// routers that are no endpoints of traffic have names that do not begin with H.
struct DotNames {
  std::vector<std::string> switches, end_ports;
};
DotNames dot_names(const Fabric& fabric);

}  // namespace pssp
