// Files of trials, from which `tune_cc --resume` continues.

#include <cmath>
#include <string>

#include "base/error.h"
#include "simulator/tuning/trials.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

void require_figures(const TrialFigures& figures) {
  for (const double figure :
       {figures.throughput, figures.instability, figures.worst_part, figures.p99_ns,
        figures.completion_ns, figures.victims_share, figures.hurt}) {
    require(std::isfinite(figure), "a figure is not finite");
  }
}

}  // namespace

void fuzz_trials(std::string_view input) {
  constexpr std::string_view identity = "a search of these tests";
  const KeptTrials kept = parse_trials(input, "input", identity);
  for (const auto& [key, figures] : kept.table) require_figures(figures);
  const KeptTrials again =
      parse_trials(trials_text(kept.table, kept.runs, identity), "written", identity);
  require(again.table == kept.table && again.runs == kept.runs, "writing trials changes them");
}

}  // namespace pssp::test
