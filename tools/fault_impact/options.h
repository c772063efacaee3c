#pragma once

// The command line of fault_impact.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

enum class Repair : std::uint8_t {
  stable,        ///< reroute_stably(): invalid entries are replaced, others stay
  baseline,      ///< repaired(): the tables are the baseline of the repair
  from_scratch,  ///< an engine routes the damaged fabric
  none,          ///< the tables are unchanged
};

struct FaultOptions {
  std::vector<std::string> files;  ///< tables and topology, or one file with both
  std::string links, switches;     ///< "all", a number, a file of faults, or empty: none
  std::uint64_t patterns = 500;
  std::uint64_t seed = 1;
  Repair repair = Repair::stable;
  std::string engine;    ///< for Repair::from_scratch
  unsigned threads = 0;  ///< 0: all cores
  bool json = false;
  std::string output = "-";
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<FaultOptions> parse_fault_options(int argc, const char* const* argv);

}  // namespace pssp
