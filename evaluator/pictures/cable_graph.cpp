#include "evaluator/pictures/cable_graph.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "evaluator/pictures/congestion_colour.h"

namespace pssp {

void write_congested_dot(const Fabric& fabric, const ForwardingTables& tables,
                         const ScaledCongestion& congestion, const DotEdgeAttributes& others,
                         const ContentSink& sink) {
  // Ports without traffic have links, too.
  std::vector<double> to_end_port(fabric.end_port_count());
  std::vector<double> from_end_port(fabric.end_port_count());
  for (std::size_t i = 0; i < fabric.endpoints().size(); ++i) {
    const std::uint32_t port = fabric.endpoints()[i].value();
    from_end_port[port] = congestion.sent[i];
    to_end_port[port] = congestion.received[i];
  }
  const auto of = [&](const DotEdge& edge) {
    switch (edge.kind) {
      case DotEdge::Kind::channel:
        return congestion.channels[edge.index];
      case DotEdge::Kind::to_end_port:
        return to_end_port[edge.index];
      case DotEdge::Kind::from_end_port:
        return from_end_port[edge.index];
    }
    return 0.0;
  };
  write_dot(
      fabric, &tables,
      [&](DotEdge edge, std::vector<DotAttribute>& attributes) {
        if (others) others(edge, attributes);
        const double scaled = of(edge);
        attributes.push_back({"congestion", fmt::format("{:f}", scaled)});
        attributes.push_back({"color", congestion_colour(scaled)});
      },
      sink);
}

}  // namespace pssp
