#pragma once

// The report on one set of tables.

#include <cstddef>
#include <string>

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/scoring_options.h"
#include "tools/eval_lft/suite_options.h"

namespace pssp {

class ScoreRequest {
 public:
  /// `require_acyclic`: the option of that name, which excludes service levels.
  void add_options(QuestionLine& line, const Option& require_acyclic);
  void take(const ScoringOptions& scoring, const SuiteOptions& structured_suite);
  /// Writes the report, and finally throws Error(verification_failed) if the tables, or the service
  /// levels, must not be used.
  int run(const Common& common, Processes& processes) const;

 private:
  ScoringOptions scoring_;
  SuiteOptions structured_suite_;
  std::size_t top_ = EvaluationOptions{}.busiest_channels;
  std::size_t worst_pairs_ = EvaluationOptions{}.worst_pairs;
  unsigned ceiling_effort_ = CeilingOptions{}.effort;
  bool no_ceiling_ = false;
  std::size_t examples_ = VerifyOptions{}.max_examples;
  std::string service_levels_, host_csv_;  // files; empty: none
};

}  // namespace pssp
