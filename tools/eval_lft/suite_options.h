#pragma once

// Options of structured traffic in reports on tables and comparisons.

#include <optional>
#include <string>

#include "base/digest.h"
#include "evaluator/scoring/evaluation.h"
#include "evaluator/scoring/structured_traffic.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/inputs.h"

namespace pssp {

class SuiteOptions {
 public:
  void add_options(QuestionLine& line);
  /// Throws Error(usage).
  void take(const QuestionLine& line);

  /// Whether all patterns were requested, instead of one line.
  bool is_table() const { return is_asked_; }
  /// The hosts in the chosen order, possibly from a file. Throws Error.
  OrderedHosts order(const Fabric& fabric) const;
  /// The requested figures for these tables: none with --no-structured-suite.
  std::optional<StructuredTraffic> measure(const EvalInput& input, OrderedHosts hosts,
                                           const Evaluation& evaluation) const;
  /// Of the options that the figures depend on.
  Digest digest() const;

 private:
  bool is_asked_ = false, is_unwanted_ = false, all_phases_ = false;
  std::string host_order_ = "name";
};

}  // namespace pssp
