#pragma once

// Estimate of an application's time at full bandwidth.

#include <string>

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/inputs.h"
#include "tools/eval_lft/ranks_options.h"

namespace pssp {

class ApplicationRequest {
 public:
  void add_options(QuestionLine& line);
  bool is_asked() const { return !application_.empty(); }
  void take(const RanksOptions& ranks) { ranks_ = ranks; }
  int run(const Common& common, Processes& processes) const;

 private:
  double bandwidth_of(const EvalInput& input, const RouteStore& routes, const Common& common,
                      const std::string& pattern, const Processes& processes) const;

  RanksOptions ranks_;
  std::string application_;  // its parts, as specified
};

}  // namespace pssp
