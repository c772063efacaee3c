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
  std::string topology;             ///< of the tables before, and of those after
  std::string after_topology;       ///< of those after; empty: nothing was taken away or added
  std::string traffic;              ///< pattern file; empty: all pairs
  std::vector<std::string> levels;  ///< service levels before and after, or none
  std::string order;                ///< file of block writes; empty: opensm's order
  std::uint32_t orders = 0;         ///< random ones besides
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores
  EndpointRoles roles;
  bool json = false;
  std::string output = "-";

  bool live = false;       ///< watch a fabric instead of reading files
  double live_s = 0;       ///< for so long; 0: until Ctrl-C
  std::string jobs;        ///< job file; empty: none
  std::string m_key_file;  ///< empty: no M_Key
  PortOptions port;
};

/// Nothing when --help or --version was answered. Throws Error(usage). Opens no file.
std::optional<RerouteOptions> parse_reroute_options(int argc, const char* const* argv);

}  // namespace pssp
