#pragma once

// Compares the results of runs with expected values.

#include <optional>
#include <string>
#include <vector>

#include "tools/simulate_fabric/runs.h"

namespace pssp {

/// A figure with its published or expected value.
struct CheckedFigure {
  std::string what;  ///< "share H112", "throughput 250us 1"
  std::string run;   ///< "off", "on", ..
  std::string source;
  std::string unit;
  double expected = 0, found = 0;
  std::optional<double> least, most;
  bool passes = true;
  bool is_rank = false;

  /// "ok", "OUT OF RANGE", "sign ok" (only the sign was compared); for a rank among
  /// others "order ok" or "order fails", which is permitted.
  std::string verdict() const;
  double deviation() const { return expected == 0 ? found : found / expected - 1; }
};

/// All available comparisons: `expect` lines of the traffic file, and the reference of a scenario
/// if its runs exist. Figures are means over the seeds.
std::vector<CheckedFigure> check_simulation(const Simulation& simulation);

}  // namespace pssp
