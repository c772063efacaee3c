#pragma once

// Evaluates adaptive routing, spraying or hashing, with or without tables.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/report/adaptive_report.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/inputs.h"
#include "tools/eval_lft/ranks_options.h"
#include "tools/eval_lft/scoring_options.h"

namespace pssp {

class AdaptiveRequest {
 public:
  void add_options(QuestionLine& line);
  bool is_asked() const { return !choices_text_.empty(); }
  /// `is_pattern`: a pattern was specified instead of random bisections.
  void take(bool is_pattern, const RanksOptions& ranks, const ScoringOptions& scoring);
  int run(const Common& common, Processes& processes) const;

 private:
  /// The results of each run.
  struct Sample {
    std::vector<double> bandwidths, slowest;
  };

  template <class Routes>
  Sample sample(const Routes& routes, const std::optional<PreparedPattern>& prepared,
                const Common& common, const Processes& processes) const;
  AdaptiveReport measure(const EvalInput& input, const std::optional<PreparedPattern>& prepared,
                         const Common& common, const Processes& processes) const;
  Digest digest(const Common& common, const std::optional<PreparedPattern>& prepared) const;

  bool is_pattern_ = false;
  RanksOptions ranks_;
  BisectionOptions bisections_;
  std::string choices_text_;
  std::vector<AdaptiveChoice> choices_;
};

}  // namespace pssp
