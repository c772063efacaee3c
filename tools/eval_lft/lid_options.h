#pragma once

// Options for the LIDs of traffic if ports have several (LMC > 0).

#include <string>

#include "base/digest.h"
#include "fabric/fabric.h"
#include "routing/structured_suite/lid_use.h"
#include "tools/eval_lft/question_line.h"

namespace pssp {

class LidOptions {
 public:
  void add_options(QuestionLine& line);
  /// Throws Error(usage).
  void take(const QuestionLine& line);

  /// Whether LIDs were chosen explicitly; otherwise a report notes that only base LIDs count.
  bool is_chosen() const { return is_chosen_; }
  /// For this fabric: at most as many LIDs as a host has.
  LidUse on(const Fabric& fabric) const;
  /// Of the options that the figures depend on.
  Digest digest() const;

 private:
  std::string lids_ = "base", striping_ = "slowest";
  bool is_chosen_ = false;
  unsigned most_ = 1;
};

}  // namespace pssp
