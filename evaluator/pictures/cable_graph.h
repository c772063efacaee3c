#pragma once

// The graph of metric get_cable_cong: the fabric, each cable with its congestion and a color.

#include "base/file_io.h"
#include "evaluator/metrics/cable_congestion.h"
#include "fabric/fabric.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Writes the graph as write_dot() does (fabric/formats/orcs/dot_writer.h), with the edge
/// attributes "congestion", six decimals, and "color". `others` are further attributes of the
/// edges, such as those of a graph that was read.
void write_congested_dot(const Fabric& fabric, const ForwardingTables& tables,
                         const ScaledCongestion& congestion, const DotEdgeAttributes& others,
                         const ContentSink& sink);

}  // namespace pssp
