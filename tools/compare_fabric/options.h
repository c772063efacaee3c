#pragma once

// The command line of compare_fabric.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct CompareFabricOptions {
  std::vector<std::string> plans;  ///< files, or make:SPECIFICATION; empty with rules or two times
  std::string fabric;              ///< file; empty with times
  std::string database;            ///< of the monitor; empty: none
  std::vector<std::string> times;  ///< in the database: of the fabric, or of plan and fabric
  bool rules = false;              ///< without a plan: compare with the peers
  std::string node_names;          ///< expression for NodeNameRule; empty: none
  std::string node_name_map;       ///< empty: none
  std::string map;                 ///< file for the matching of nodes; empty: none
  std::string engine;              ///< for the cost of the cabling; empty: none
  std::uint64_t patterns = 1000;
  std::string tables;  ///< current tables of the fabric; empty: none
  bool json = false;
  std::string output = "-";
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<CompareFabricOptions> parse_compare_fabric_options(int argc, const char* const* argv);

}  // namespace pssp
