#pragma once

// The command line of make_topo: one command per family, with the arguments of the family.

#include <string>

#include "topologies/topology_request.h"

namespace pssp {

struct MakeTopoOptions {
  TopologyRequest request;
  std::string output = "-";

  /// Returns false if --help, --version or --list was printed. Throws Error(usage).
  bool parse(const char* tool, int argc, char** argv);
};

}  // namespace pssp
