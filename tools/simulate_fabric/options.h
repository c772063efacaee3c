#pragma once

// The command line of simulate_fabric.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/simulation/later_options.h"
#include "tools/simulation/source_options.h"

namespace pssp {

/// `--cc-vary NAME=V1,V2`
struct VariedParameter {
  std::string name;
  std::vector<std::string> values;
};

struct SimulateOptions : SourceOptions {
  std::vector<std::string> sets;        ///< of congestion control
  std::vector<VariedParameter> varied;  ///< parameters of the last set

  LaterOptions later;  ///< changes of the fabric

  double precision =
      0;  ///< half of a 95 % interval, relative to the mean; 0: the given number of seeds
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores

  std::string series;  ///< file; empty: none
  std::vector<std::string> series_of;
  std::string select = "*";
  std::string csv, plot, heat, map;  ///< files; empty: none
  std::string map_of = "waiting";
  bool json = false, check = false;
  bool progress = true;
  unsigned victims = 10, top = 10;
  std::string output = "-";
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<SimulateOptions> parse_simulate_options(int argc, const char* const* argv);

}  // namespace pssp
