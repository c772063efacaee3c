#include "simulator/tuning/objective.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "simulator/values.h"

namespace pssp {
namespace {

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

}  // namespace

TuningObjective parse_objective(std::string_view text) {
  using Kind = TuningObjective::Kind;
  if (text == "throughput") return {Kind::throughput};
  if (text == "worst-flow") return {Kind::worst_flow, 0};
  if (text == "p99") return {Kind::p99};
  if (text == "completion") return {Kind::completion};
  constexpr std::string_view blend = "blend:";
  if (text.starts_with(blend)) return {Kind::blend, read_share(text.substr(blend.size()))};
  throw Error(ErrorKind::usage,
              fmt::format("--objective '{}'; expected throughput, worst-flow, p99, completion or "
                          "blend:W with 0 <= W <= 1",
                          excerpt(text)));
}

double score_of(const TuningObjective& objective, const TrialFigures& trial,
                const TrialFigures& off) {
  using Kind = TuningObjective::Kind;
  if (trial.ended_early) return 0;
  switch (objective.kind) {
    case Kind::throughput:
      return ratio(trial.throughput, off.throughput);
    case Kind::worst_flow:
      return trial.worst_part;
    case Kind::p99:
      return ratio(off.p99_ns, trial.p99_ns);
    case Kind::completion:
      return ratio(off.completion_ns, trial.completion_ns);
    case Kind::blend:
      break;
  }
  return objective.weight * ratio(trial.throughput, off.throughput) +
         (1 - objective.weight) * trial.worst_part;
}

}  // namespace pssp
