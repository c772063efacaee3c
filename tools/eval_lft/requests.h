#pragma once

// All requests of eval_lft, and the selection of one.

#include <optional>

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/adaptive_request.h"
#include "tools/eval_lft/application_request.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/compare_request.h"
#include "tools/eval_lft/paths_request.h"
#include "tools/eval_lft/pattern_request.h"
#include "tools/eval_lft/print_request.h"
#include "tools/eval_lft/ranks_options.h"
#include "tools/eval_lft/score_request.h"
#include "tools/eval_lft/scoring_options.h"
#include "tools/eval_lft/suite_options.h"

namespace pssp {

/// The command line of eval_lft (docs/reference/eval.md), and the answer to it.
class Requests {
 public:
  /// None if --help, --version or --list was printed. Throws Error(usage).
  static std::optional<Requests> from_command_line(int argc, const char* const* argv);

  /// Must be called by all processes. Returns the exit code; throws Error.
  int run(Processes& processes) const;

 private:
  Requests() = default;

  void add_options(QuestionLine& line);
  void take(const QuestionLine& line);
  Question question_of(const QuestionLine& line) const;

  Question question_ = Question::score;
  Common common_;
  ScoringOptions scoring_;
  SuiteOptions structured_suite_;
  RanksOptions ranks_;
  ScoreRequest score_;
  CompareRequest compare_;
  PatternRequest pattern_;
  AdaptiveRequest adaptive_;
  PrintRequest print_;
  PathsRequest paths_;
  ApplicationRequest application_;
};

}  // namespace pssp
