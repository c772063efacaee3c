#pragma once

// Several sets of tables of one fabric side by side, by the report on each.

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/scoring_options.h"
#include "tools/eval_lft/suite_options.h"

namespace pssp {

/// Its own option, --compare, is an input (Common::compared): patterns are compared by it, too.
class CompareRequest {
 public:
  void take(const ScoringOptions& scoring, const SuiteOptions& structured_suite) {
    scoring_ = scoring;
    structured_suite_ = structured_suite;
  }
  /// Writes the table, and in the end throws Error(verification_failed) when any of the tables are
  /// not to be used.
  int run(const Common& common, Processes& processes) const;

 private:
  ScoringOptions scoring_;
  SuiteOptions structured_suite_;
};

}  // namespace pssp
