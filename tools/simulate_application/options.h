#pragma once

// The command line of simulate_application.

#include <optional>
#include <string>
#include <vector>

#include "tools/simulate_application/answer/question.h"
#include "tools/simulation/later_options.h"
#include "tools/simulation/model_options.h"

namespace pssp {

struct ApplicationOptions {
  std::vector<std::string> files;    ///< tables and topology, or one file with both
  std::vector<std::string> compare;  ///< further tables
  ApplicationQuestion question;  ///< without the parts from model_options and its congestion set
  ModelOptions model_options;
  LaterOptions later;         ///< changes of the fabric
  std::string per_rank;       ///< file; empty: none
  std::string csv;            ///< likewise
  std::string timeline, map;  ///< pictures of the simulation with the first tables; empty: none
  std::string write_goal;     ///< file; empty: none
  bool json = false;
  std::string output = "-";
};

/// None if --help, --version or --list was printed. Throws Error(usage). Opens no file.
std::optional<ApplicationOptions> parse_application_options(int argc, const char* const* argv);

}  // namespace pssp
