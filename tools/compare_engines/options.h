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
  unsigned lanes = 8;                           ///< virtual lanes for data that the fabric has
  std::vector<unsigned> lmcs;                   ///< opensm's, ascending; empty: the topology's
  unsigned timeout = 300;                       ///< seconds of one opensm
  std::optional<std::uint64_t> patterns, seed;  ///< not given: eval_lft's own
  std::vector<std::string> applications;        ///< NAME,SIZE.., or a GOAL file
  unsigned ranks = 0;                           ///< of those that are no file; 0: all hosts
  std::string configuration;                    ///< file with lines for opensm.conf
  std::string out, json, csv, plot;             ///< empty: not wanted; `out`: a new folder
};

/// Nothing when --help or --version was answered. Throws Error(usage). Opens no file.
std::optional<CompareOptions> parse_compare_options(int argc, const char* const* argv);

}  // namespace pssp
