#pragma once

// Options of structured traffic in the report on tables and in their comparison.

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

  /// Whether all patterns are asked for, and not just a line on them.
  bool is_table() const { return is_asked_; }
  /// The hosts in the order that was chosen. Reads the file of it. Throws Error.
  OrderedHosts order(const Fabric& fabric) const;
  /// What is asked for of these tables: nothing with --no-structured-suite.
  std::optional<StructuredTraffic> measure(const EvalInput& input, OrderedHosts hosts,
                                           const Evaluation& evaluation) const;
  /// Of what the figures depend on.
  Digest digest() const;

 private:
  bool is_asked_ = false, is_unwanted_ = false, all_phases_ = false;
  std::string host_order_ = "name";
};

}  // namespace pssp
