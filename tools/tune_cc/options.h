#pragma once

// The command line of tune_cc.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/tuning/objective.h"
#include "simulator/tuning/parameter_space.h"
#include "tools/simulation/source_options.h"

namespace pssp {

struct TuneOptions : SourceOptions {
  std::vector<double> weights;  ///< of the traffics; empty: all 1
  std::vector<TuningAxis> vary;
  std::vector<std::pair<std::string, std::string>> keep;
  std::string objective_name = "throughput";
  TuningObjective objective;
  std::string budget = "200";
  std::size_t runs = 0;    ///< from the budget; 0: a time
  double seconds = 0;      ///< from the budget
  std::uint64_t seed = 1;  ///< of the first runs
  unsigned threads = 0;    ///< 0: all cores
  std::string base = "thesis-mesh";
  bool opensm = false, guard = false;
  std::optional<unsigned> capacity;  ///< blocks of 64 entries that adapters hold

  std::string set_file;      ///< file; empty: none
  std::string report = "-";  ///< file
  std::string plot, resume;  ///< files; empty: none
  bool json = false, progress = true;
  std::string command;  ///< that gives the same results
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<TuneOptions> parse_tune_options(int argc, const char* const* argv);

}  // namespace pssp
