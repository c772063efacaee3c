#pragma once

// Options of all reports on one or several sets of tables.

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
  /// After parsing: everything except the options of the report on one set of tables.
  EvaluationOptions evaluation;
  LidOptions lids;
  bool require_acyclic = false;

  /// Returns the option --require-acyclic, which others may exclude.
  Option add_options(QuestionLine& line);
  void take(const QuestionLine& line, const Common& common);
  /// For the tables of one fabric.
  EvaluationOptions on(const Fabric& fabric) const;
  /// Of the options that the figures depend on.
  Digest digest() const;

 private:
  std::optional<double> precision_;
  bool skip_credit_loops_ = false;
  bool end_ports_only_ = false;
};

/// The first process shows its progress on a terminal.
Evaluation evaluate_with_progress(const EvalInput& input, const EvaluationOptions& options,
                                  const Processes& processes);

/// Histogram of the bandwidths of all inputs, if --plot asks for it.
void draw_bisections(const std::vector<EvalInput>& inputs,
                     const std::vector<std::vector<double>>& bandwidths, const Common& common);

/// Throws Error(verification_failed) if the tables are broken, or have a credit loop that is not
/// permitted. Called after the report, which contains the details.
void require_usable(const VerifyReport& report, bool require_acyclic, const std::string& tables);

}  // namespace pssp
