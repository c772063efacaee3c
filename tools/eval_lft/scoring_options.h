#pragma once

// Options of every report on tables, of one set or of several.

#include <cstdint>
#include <optional>
#include <string>

#include "base/digest.h"
#include "evaluator/scoring/evaluation.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/inputs.h"
#include "tools/eval_lft/lid_options.h"

namespace pssp {

struct ScoringOptions {
  /// Once taken: all but what only the report on one set of tables shows.
  EvaluationOptions evaluation;
  LidOptions lids;
  bool require_acyclic = false;

  /// The result is the option --require-acyclic, which others may exclude.
  Option add_options(QuestionLine& line);
  void take(const QuestionLine& line, const Common& common);
  /// For the tables of one fabric.
  EvaluationOptions on(const Fabric& fabric) const;
  /// Of what the figures depend on.
  Digest digest() const;

 private:
  std::optional<double> precision_;
  bool skip_credit_loops_ = false;
  bool end_ports_only_ = false;
};

/// Shows its progress on a terminal in the first process.
Evaluation evaluate_with_progress(const EvalInput& input, const EvaluationOptions& options,
                                  const Processes& processes);

/// Histogram of the bandwidths of all inputs, if --plot asks for it.
void draw_bisections(const std::vector<EvalInput>& inputs,
                     const std::vector<std::vector<double>>& bandwidths, const Common& common);

/// Throws Error(verification_failed) when the tables are broken, or have a credit loop that must
/// not be. For after the report, which says how.
void require_usable(const VerifyReport& report, bool require_acyclic, const std::string& tables);

}  // namespace pssp
