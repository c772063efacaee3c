#include "evaluator/metrics/cable_congestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "fabric/formats/orcs/dot_writer.h"

// The report (section 2.5) sums up the congestion map of each level once the level is complete. The
// source of ORCS adds the map after every single flow, so that what the first flow of a level
// crosses counts once for each flow of the level. We do as the report says; docs/metrics.md tells
// the difference.

namespace pssp {
namespace {

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

void divide(std::vector<double>& values, double by) {
  for (double& value : values) value /= by;
}

}  // namespace

ScaledCongestion scaled_congestion(const Fabric& fabric, const CableLoads& loads,
                                   HostLinks host_links) {
  ScaledCongestion result{.channels = std::vector<double>(loads.channels.size()),
                          .sent = std::vector<double>(loads.sent.size()),
                          .received = std::vector<double>(loads.received.size())};
  for (std::size_t c = 0; c < loads.channels.size(); ++c) {
    result.channels[c] = static_cast<double>(loads.channels[c]) * fabric.channel_cost()[c];
  }
  if (host_links == HostLinks::counted) {
    for (std::size_t i = 0; i < loads.sent.size(); ++i) {
      const double cost = fabric.end_port_cost(fabric.endpoints()[i]);
      result.sent[i] = static_cast<double>(loads.sent[i]) * cost;
      result.received[i] = static_cast<double>(loads.received[i]) * cost;
    }
  }
  const double most =
      std::max({largest(result.channels), largest(result.sent), largest(result.received)});
  if (most == 0) return result;
  divide(result.channels, most);
  divide(result.sent, most);
  divide(result.received, most);
  return result;
}

std::string congestion_colour(double scaled) {
  constexpr double green = 0.4;
  constexpr double saturation_and_value = 0.9;
  return fmt::format("{:f} {:f} {:f}", green * (1 - scaled), saturation_and_value,
                     saturation_and_value);
}

void write_congested_dot(const Fabric& fabric, const ForwardingTables& tables,
                         const ScaledCongestion& congestion, const DotEdgeAttributes& others,
                         const ContentSink& sink) {
  // Ports that take no part in traffic have links, too.
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
