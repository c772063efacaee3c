#pragma once

// The command line of make_topo: one command a family, with the arguments that the family has.

#include <string>

#include "topologies/topology_request.h"

namespace pssp {

struct MakeTopoOptions {
  TopologyRequest request;
  std::string output = "-";

  /// False when --help, --version or --list was answered. Throws Error(usage).
  bool parse(const char* tool, int argc, char** argv);
};

}  // namespace pssp
