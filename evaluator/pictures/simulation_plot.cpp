#include "evaluator/pictures/simulation_plot.h"

#include <fmt/format.h>

#include "base/error.h"
#include "evaluator/metrics/run_quantities.h"

namespace pssp {
namespace {

PlotSeries series_of(const std::string& name, const SimulationReport& report,
                     const RunQuantity& quantity) {
  return plot_series(name, values_of(quantity, report.result.runs));
}

/// "NAME: what" for several simulations, "what" for one.
std::string bound_name(const NamedSimulation& simulation, bool is_alone, std::string_view what) {
  return is_alone ? std::string(what) : fmt::format("{}: {}", simulation.name, what);
}

void add_series(const NamedSimulation& simulation, Metric metric, bool is_alone,
                HistogramPlot& plot) {
  const SimulationReport& report = simulation.report;
  const std::string name = is_alone ? "" : simulation.name;
  const MetricDescription& described = description_of(metric);
  switch (described.form) {
    case MetricForm::run_numbers:
    case MetricForm::bandwidths:
      plot.axis = described.quantity.axis;
      plot.series.push_back(series_of(name, report, described.quantity));
      return;
    case MetricForm::congestions:
      plot.axis = "congestion of a flow (1: no other flow on its links)";
      plot.counted = "flows";
      plot.series.push_back(plot_series(name, report.result.histogram));
      return;
    case MetricForm::bounds:
      plot.axis = "bandwidth (optimistic: rounds not synchronised; pessimistic: synchronised)";
      plot.series.push_back(series_of(bound_name(simulation, is_alone, "optimistic"), report,
                                      RunQuantity::optimistic_bandwidth));
      plot.series.push_back(series_of(bound_name(simulation, is_alone, "pessimistic"), report,
                                      RunQuantity::pessimistic_bandwidth));
      return;
    case MetricForm::cable_graph:
      throw Error(ErrorKind::usage, fmt::format("{} is a graph, not a histogram, and cannot be "
                                                "plotted; draw it with graphviz (dot -Tsvg)",
                                                described.name));
  }
}

}  // namespace

HistogramPlot simulation_plot(std::span<const NamedSimulation> simulations, Metric metric) {
  const SimulationReport& first = simulations.front().report;
  const bool is_alone = simulations.size() == 1;
  HistogramPlot plot;
  plot.title = fmt::format("{}: {} ranks on {} hosts", first.pattern, first.ranks, first.hosts);
  plot.subtitle =
      fmt::format("{}{} runs, seed {}", is_alone ? simulations.front().name + ", " : std::string(),
                  first.result.runs.size(), first.options.seed);
  plot.counted = "runs";
  for (const NamedSimulation& simulation : simulations) {
    add_series(simulation, metric, is_alone, plot);
  }
  return plot;
}

HistogramPlot bisection_plot(std::span<const NamedBisections> bisections, std::uint32_t hosts,
                             std::uint64_t seed) {
  const bool is_alone = bisections.size() == 1;
  HistogramPlot plot;
  plot.title = fmt::format("Effective bisection bandwidth of {} hosts", hosts);
  plot.subtitle = fmt::format("{}{} random bisections, seed {}",
                              is_alone ? bisections.front().name + ", " : std::string(),
                              bisections.front().bandwidths.size(), seed);
  plot.axis = "mean bandwidth of a bisection (1: a crossbar)";
  plot.counted = "bisections";
  for (const NamedBisections& one : bisections) {
    plot.series.push_back(plot_series(is_alone ? "" : one.name,
                                      std::vector(one.bandwidths.begin(), one.bandwidths.end())));
  }
  return plot;
}

}  // namespace pssp
