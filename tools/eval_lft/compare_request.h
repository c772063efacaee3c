#pragma once

// Several sets of tables of one fabric side by side, by the report on each.

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/portfolio_options.h"
#include "tools/eval_lft/scoring_options.h"

namespace pssp {

/// Its own option, --compare, is an input (Common::compared): patterns are compared by it, too.
class CompareRequest {
 public:
  void take(const ScoringOptions& scoring, const PortfolioOptions& portfolio) {
    scoring_ = scoring;
    portfolio_ = portfolio;
  }
  /// Writes the table, and in the end throws Error(verification_failed) when any of the tables are
  /// not to be used.
  int run(const Common& common, Processes& processes) const;

 private:
  ScoringOptions scoring_;
  PortfolioOptions portfolio_;
};

}  // namespace pssp
