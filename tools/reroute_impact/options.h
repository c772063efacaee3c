#pragma once

// The command line of reroute_impact.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/adapter_kind.h"
#include "tools/kit/port_options.h"

namespace pssp {

struct RerouteOptions {
  std::string before, after;        ///< tables
  std::string topology;             ///< for the tables before, and for those after
  std::string after_topology;       ///< for those after; empty: no nodes or cables changed
  std::string traffic;              ///< pattern file; empty: all pairs
  std::vector<std::string> levels;  ///< service levels before and after, or none
  std::string order;                ///< file of block writes; empty: opensm's order
  std::uint32_t orders = 0;         ///< number of random orders in addition
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores
  EndpointRoles roles;
  bool json = false;
  std::string output = "-";

  bool live = false;       ///< watch a fabric instead of reading files
  double live_s = 0;       ///< duration; 0: until Ctrl-C
  std::string jobs;        ///< job file; empty: none
  std::string m_key_file;  ///< empty: no M_Key
  PortOptions port;
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<RerouteOptions> parse_reroute_options(int argc, const char* const* argv);

}  // namespace pssp
