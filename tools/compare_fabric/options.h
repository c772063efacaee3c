#pragma once

// The command line of compare_fabric.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct CompareFabricOptions {
  std::vector<std::string> plans;  ///< files, or make:SPECIFICATION; none with rules or two times
  std::string fabric;              ///< file; none with times
  std::string database;            ///< of the monitor; empty: none
  std::vector<std::string> times;  ///< of the database: of the fabric, or of plan and fabric
  bool rules = false;              ///< no plan: against the peers
  std::string node_names;          ///< expression of NodeNameRule; empty: none
  std::string node_name_map;       ///< empty: none
  std::string map;                 ///< file for who is who; empty: none
  std::string engine;              ///< that says what the cabling costs; empty: none
  std::uint64_t patterns = 1000;
  std::string tables;  ///< in force, of the fabric; empty: none
  bool json = false;
  std::string output = "-";
};

/// Nothing when --help or --version was answered. Throws Error(usage). Opens no file.
std::optional<CompareFabricOptions> parse_compare_fabric_options(int argc, const char* const* argv);

}  // namespace pssp
