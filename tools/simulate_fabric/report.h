#pragma once

// The reports of simulate_fabric.

#include <optional>
#include <string>
#include <vector>

#include "simulator/measure/batch_means.h"
#include "tools/simulate_fabric/check.h"
#include "tools/simulate_fabric/runs.h"

namespace pssp {

/// A variant compared with the first one, seed by seed.
struct VariantComparison {
  std::size_t variant = 0;
  MeanEstimate difference;  ///< bytes/s, or shares of links (Simulation::compares_flows())
  double relative = 0;      ///< difference / mean of the first
  bool known = false;       ///< at least two seeds: there is an interval
};

struct SimulateReport {
  const SimulateOptions& options;
  const Simulation& simulation;
  std::vector<CheckedFigure> checked{};
  std::vector<VariantComparison> comparisons{};
};

std::vector<VariantComparison> compare_variants(const Simulation& simulation);

std::string to_text(const SimulateReport& report);
std::string to_json(const SimulateReport& report);
/// "duration", "all_delivered", "deadlock", ..
std::string_view end_name(RunEnd end);

}  // namespace pssp
