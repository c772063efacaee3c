#pragma once

// What a search wants more of.

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/tuning/trials.h"

namespace pssp {

struct TuningObjective {
  enum class Kind : std::uint8_t { throughput, worst_flow, p99, completion, blend };
  Kind kind = Kind::throughput;
  double weight = 1;  ///< of the throughput in a blend, [0, 1]; the rest is the worst flow's
};

/// "throughput", "worst-flow", "p99", "completion", "blend:W". Throws Error(usage).
TuningObjective parse_objective(std::string_view text);

/// More is better. Throughput, p99 and completion are relative to the run without congestion
/// control, the same traffic and seed: 1.1 has 10 % more throughput, or takes 1/1.1 of the time.
/// The worst flow's is the smallest part of its fair share that a flow got. 0 where the run came to
/// a standstill, or never to its end.
double score_of(const TuningObjective& objective, const TrialFigures& trial,
                const TrialFigures& off);

}  // namespace pssp
