#pragma once

// The description of a simulation; reports are made from it and from the result.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/flows/pattern_simulation.h"
#include "evaluator/hosts/host_mapping.h"
#include "evaluator/metrics/crossbar.h"
#include "evaluator/metrics/histogram.h"
#include "evaluator/metrics/metric.h"
#include "evaluator/patterns/pattern.h"
#include "fabric/fabric.h"

namespace pssp {

struct SimulationReport {
  std::string pattern;         ///< as specified: "neighbor:6", "ptrnvsptrn tree bisect"
  std::uint32_t levels = 0;    ///< Pattern::level_count()
  std::uint32_t ranks = 0;     ///< size of the communicator
  std::uint32_t observed = 0;  ///< Pattern::observed_ranks()
  std::uint32_t hosts = 0;     ///< of the fabric
  std::string hosts_of_ranks;  ///< how hosts are selected: "random, new in every run"
  SimulationOptions options;
  LidUse lids{};  ///< LIDs of striped flows
  /// Reported metrics in order; get_cable_cong is ignored here, because it is a graph
  /// (metrics/cable_congestion.h).
  std::vector<Metric> metrics;
  double bin_width = orcs_bin_width;  ///< for hist_acc_band
  /// For the bounds relative to a crossbar; none if host links are excluded.
  std::optional<CrossbarCongestion> crossbar;
  SimulationResult result;
};

/// The description of a simulation; the caller sets the result, the description of the hosts and
/// the LIDs in use. `pattern`: for `mapping.ranks()` ranks; `name`: as specified. Computes the
/// crossbar's congestion if a metric needs it.
SimulationReport report_without_result(std::string name, const Fabric& fabric,
                                       const Pattern& pattern, const HostMapping& mapping,
                                       const SimulationOptions& options,
                                       std::vector<Metric> metrics);

}  // namespace pssp
