#pragma once

// Metric get_cable_cong: the graph of the fabric with the load that a simulation put on each cable.

#include <string>
#include <vector>

#include "base/file_io.h"
#include "evaluator/flows/pattern_simulation.h"
#include "fabric/fabric.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Congestion sums of all links relative to the largest of them, 0 .. 1; all 0 when nothing was
/// sent.
struct ScaledCongestion {
  std::vector<double> channels;        ///< by ChannelId
  std::vector<double> sent, received;  ///< links of endpoints, by position in Fabric::endpoints()
};

/// A sum is the flows of all levels and runs times the cost of the link (Fabric::channel_cost()).
/// Links of endpoints that are left out have congestion 0. `loads` are those of this fabric, not
/// empty. O(links).
ScaledCongestion scaled_congestion(const Fabric& fabric, const CableLoads& loads,
                                   HostLinks host_links);

/// "hue saturation value" for graphviz: green (0.4) for 0, red (0) for 1, straight in between, with
/// saturation and value 0.9: what ORCS gives the same congestion.
std::string congestion_colour(double scaled);

/// Writes the graph as write_dot() does (fabric/formats/orcs/dot_writer.h), each edge with the
/// attributes "congestion", six decimals, and "color". `others` are those that the edges have
/// besides, such as a graph that was read has them.
void write_congested_dot(const Fabric& fabric, const ForwardingTables& tables,
                         const ScaledCongestion& congestion, const DotEdgeAttributes& others,
                         const ContentSink& sink);

}  // namespace pssp
