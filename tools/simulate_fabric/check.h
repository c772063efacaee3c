#pragma once

// What was expected of the runs, and what came.

#include <optional>
#include <string>
#include <vector>

#include "tools/simulate_fabric/runs.h"

namespace pssp {

/// A figure beside what was published or expected.
struct CheckedFigure {
  std::string what;  ///< "share H112", "throughput 250us 1"
  std::string run;   ///< "off", "on", ..
  std::string source;
  std::string unit;
  double expected = 0, found = 0;
  std::optional<double> least, most;
  bool passes = true;
  bool is_rank = false;

  /// "ok", "BEYOND" (of what is allowed), "sign ok" (nothing but the sign was asked for), of a
  /// place among others "order ok" or "order fails", which is said and allowed.
  std::string verdict() const;
  double deviation() const { return expected == 0 ? found : found / expected - 1; }
};

/// All that can be compared: `expect` lines of the traffic file, and the reference of a scenario
/// where the runs are those it speaks of. Figures are means over the seeds.
std::vector<CheckedFigure> check_simulation(const Simulation& simulation);

}  // namespace pssp
