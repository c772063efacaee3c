// eval_lft and the Python module share this description of a simulation.

#include "evaluator/scoring/simulation_report.h"

#include <algorithm>
#include <utility>

namespace pssp {

SimulationReport report_without_result(std::string name, const Fabric& fabric,
                                       const Pattern& pattern, const HostMapping& mapping,
                                       const SimulationOptions& options,
                                       std::vector<Metric> metrics) {
  SimulationReport report;
  report.pattern = std::move(name);
  report.levels = pattern.level_count();
  report.ranks = mapping.ranks();
  report.observed = pattern.observed_ranks();
  report.hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
  report.options = options;
  report.metrics = std::move(metrics);
  const bool bounds = std::ranges::count(report.metrics, Metric::bounds) != 0;
  if (options.host_links == HostLinks::counted && bounds)
    report.crossbar = crossbar_congestion(pattern, report.ranks, options.seed, options.level);
  return report;
}

}  // namespace pssp
