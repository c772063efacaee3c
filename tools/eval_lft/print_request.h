#pragma once

// Prints the pattern with the hosts of the first run.

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/ranks_options.h"

namespace pssp {

class PrintRequest {
 public:
  void add_options(QuestionLine& line);
  bool is_asked() const { return is_asked_; }
  void take(const RanksOptions& ranks) { ranks_ = ranks; }
  int run(const Common& common, Processes& processes) const;

 private:
  RanksOptions ranks_;
  bool is_asked_ = false;
};

}  // namespace pssp
