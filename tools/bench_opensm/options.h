#pragma once

// The command line of bench_opensm.

#include <optional>
#include <string>
#include <vector>

#include "ibsim_harness/engine_spec.h"

namespace pssp {

struct BenchOptions {
  std::vector<EngineSpec> engines;
  std::vector<std::string> sizes;  ///< fabrics: arguments of make_topo, or files
  unsigned iterations = 1;
  unsigned lanes = 8;          ///< virtual lanes that nue may use
  unsigned timeout = 60;       ///< seconds of one sweep
  std::string format = "svg";  ///< of the plots
  std::string out, json;       ///< empty: a new folder, none
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<BenchOptions> parse_bench_options(int argc, const char* const* argv);

}  // namespace pssp
