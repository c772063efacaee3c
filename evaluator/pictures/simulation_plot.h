#pragma once

// Builds the histogram of a metric from simulations.

#include <cstdint>
#include <span>
#include <string>

#include "evaluator/metrics/metric.h"
#include "evaluator/pictures/bandwidth_plot.h"
#include "evaluator/scoring/simulation_report.h"

namespace pssp {

/// A simulation in a picture, with the name of its tables. The report must outlive the call.
struct NamedSimulation {
  std::string name;
  const SimulationReport& report;
};

/// The metric of all simulations, which must have the same pattern; for `bounds` two series each,
/// for hist_max_cong the congestions of all flows. At least one simulation. Throws Error(usage) for
/// get_cable_cong, which is no histogram.
HistogramPlot simulation_plot(std::span<const NamedSimulation> simulations, Metric metric);

/// Bandwidths of bisections, with the name of the tables.
struct NamedBisections {
  std::string name;
  std::span<const double> bandwidths;
};

/// For one fabric; at least one element.
HistogramPlot bisection_plot(std::span<const NamedBisections> bisections, std::uint32_t hosts,
                             std::uint64_t seed);

}  // namespace pssp
