#pragma once

// What all questions share: input, seed, threads and the files for answers.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "tools/eval_lft/question_line.h"

namespace pssp {

struct Common {
  std::vector<std::string> files;     ///< tables and topology, or one file that has both
  std::vector<std::string> compared;  ///< further tables of the same fabric
  std::string capacity;               ///< file of lowered capacities; empty: none
  std::string node_types;             ///< file; empty: from the names of hosts
  BuilderOptions builder;
  unsigned threads = 0;  ///< of a process; 0: all cores
  std::uint64_t seed = 1;

  std::string output = "-";
  bool json = false;
  std::string csv, plot, map;  ///< files; empty: not asked for

  void add_inputs(QuestionLine& line);
  void add_outputs(QuestionLine& line);
};

/// Headings of --help.
inline constexpr const char* report_group = "Report on the tables";
inline constexpr const char* pattern_group =
    "Simulation of a pattern (as in ORCS), instead of the report";

/// What several options have in common.
inline constexpr const char* belongs_to_patterns = "is for the simulation of a pattern; add --ptrn";

}  // namespace pssp
