#pragma once

// The command line of compare_engines.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ibsim_harness/engine_spec.h"

namespace pssp {

struct CompareOptions {
  std::string topology;
  std::vector<EngineSpec> engines;
  unsigned lanes = 8;                           ///< virtual lanes of the fabric for data
  std::vector<unsigned> lmcs;                   ///< opensm's, ascending; empty: the topology's
  unsigned timeout = 300;                       ///< seconds per run of opensm
  std::optional<std::uint64_t> patterns, seed;  ///< none: eval_lft's defaults
  std::vector<std::string> applications;        ///< NAME,SIZE.., or a GOAL file
  unsigned ranks = 0;                           ///< of applications without a file; 0: all hosts
  std::string configuration;                    ///< file with lines for opensm.conf
  std::string out, json, csv, plot;             ///< empty: none; `out`: a new folder
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<CompareOptions> parse_compare_options(int argc, const char* const* argv);

}  // namespace pssp
