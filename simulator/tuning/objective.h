#pragma once

// The objective of a search.

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/tuning/trials.h"

namespace pssp {

struct TuningObjective {
  enum class Kind : std::uint8_t { throughput, worst_flow, p99, completion, blend };
  Kind kind = Kind::throughput;
  double weight = 1;  ///< of the throughput in a blend, [0, 1]; the rest is the slowest flow's
};

/// "throughput", "worst-flow", "p99", "completion", "blend:W". Throws Error(usage).
TuningObjective parse_objective(std::string_view text);

/// Higher is better. Throughput, p99 and completion are relative to the run without congestion
/// control with the same traffic and seed: 1.1 means 10 % more throughput, or 1/1.1 of the time.
/// worst-flow is the smallest ratio of a flow's rate to its fair share. 0 if the run deadlocked or
/// did not end.
double score_of(const TuningObjective& objective, const TrialFigures& trial,
                const TrialFigures& off);

}  // namespace pssp
