#pragma once

// Options of which LIDs traffic uses where ports have several (LMC > 0).

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

  /// Whether anything was said about it; no one need be told then that only base LIDs count.
  bool is_chosen() const { return is_chosen_; }
  /// On this fabric: no more LIDs than a host has.
  LidUse on(const Fabric& fabric) const;
  /// Of what the figures depend on.
  Digest digest() const;

 private:
  std::string lids_ = "base", striping_ = "slowest";
  bool is_chosen_ = false;
  unsigned most_ = 1;
};

}  // namespace pssp
