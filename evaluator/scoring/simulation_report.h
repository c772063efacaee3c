#pragma once

// What was simulated, as data: with the result of the simulation all that its reports are made
// from.

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
  std::string pattern;         ///< as it was asked for: "neighbor:6", "ptrnvsptrn tree bisect"
  std::uint32_t levels = 0;    ///< Pattern::level_count()
  std::uint32_t ranks = 0;     ///< size of the communicator
  std::uint32_t observed = 0;  ///< Pattern::observed_ranks()
  std::uint32_t hosts = 0;     ///< of the fabric
  std::string hosts_of_ranks;  ///< how hosts are chosen, in words: "random, new in every run"
  SimulationOptions options;
  LidUse lids{};  ///< that flows are striped over
  /// What to report, in this order; get_cable_cong is a graph (metrics/cable_congestion.h) and is
  /// passed over here.
  std::vector<Metric> metrics;
  double bin_width = orcs_bin_width;  ///< of hist_acc_band
  /// For the bounds relative to a crossbar; nothing where host links are left out.
  std::optional<CrossbarCongestion> crossbar;
  SimulationResult result;
};

/// What a report says of the simulation itself; its result, the words for the hosts and LIDs in use
/// are for the caller to fill in. `pattern`: for `mapping.ranks()` ranks; `name`: as it was asked
/// for. Counts the crossbar's congestion where a metric needs it.
SimulationReport report_without_result(std::string name, const Fabric& fabric,
                                       const Pattern& pattern, const HostMapping& mapping,
                                       const SimulationOptions& options,
                                       std::vector<Metric> metrics);

}  // namespace pssp
