#pragma once

// Compares several sets of tables of one fabric with the report on each.

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/scoring_options.h"
#include "tools/eval_lft/suite_options.h"

namespace pssp {

/// Its option --compare is an input (Common::compared), because it also applies to patterns.
class CompareRequest {
 public:
  void take(const ScoringOptions& scoring, const SuiteOptions& structured_suite) {
    scoring_ = scoring;
    structured_suite_ = structured_suite;
  }
  /// Writes the table, and finally throws Error(verification_failed) if any of the tables must not
  /// be used.
  int run(const Common& common, Processes& processes) const;

 private:
  ScoringOptions scoring_;
  SuiteOptions structured_suite_;
};

}  // namespace pssp
