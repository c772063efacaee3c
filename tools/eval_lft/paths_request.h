#pragma once

// Paths of single pairs, link by link.

#include <string>
#include <vector>

#include "evaluator/parallel/processes.h"
#include "evaluator/paths/pair_file.h"
#include "tools/eval_lft/common.h"

namespace pssp {

class PathsRequest {
 public:
  void add_options(QuestionLine& line);
  bool is_asked() const { return !path_.empty() || !pairs_.empty(); }
  /// Writes the paths, and finally throws Error(verification_failed) if one does not arrive.
  int run(const Common& common, Processes& processes) const;

 private:
  std::vector<PathPair> asked_for(const Fabric& fabric) const;

  std::vector<std::string> path_;  // source and destination
  std::string pairs_;              // file of pairs
};

}  // namespace pssp
