#pragma once

// Options of all requests: input, seed, threads and output files.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "tools/eval_lft/question_line.h"

namespace pssp {

struct Common {
  std::vector<std::string> files;     ///< tables and topology, or one file with both
  std::vector<std::string> compared;  ///< further tables of the same fabric
  std::string capacity;               ///< file of reduced capacities; empty: none
  std::string node_types;             ///< file; empty: derived from the names of hosts
  BuilderOptions builder;
  unsigned threads = 0;  ///< per process; 0: all cores
  std::uint64_t seed = 1;

  std::string output = "-";
  bool json = false;
  std::string csv, plot, map;  ///< files; empty: none

  void add_inputs(QuestionLine& line);
  void add_outputs(QuestionLine& line);
};

/// Headings of --help.
inline constexpr const char* report_group = "Report on the tables";
inline constexpr const char* pattern_group =
    "Simulation of a pattern (as in ORCS), instead of the report";

/// Messages shared by several options.
inline constexpr const char* belongs_to_patterns = "is for the simulation of a pattern; add --ptrn";

}  // namespace pssp
