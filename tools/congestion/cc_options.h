#pragma once

// The common options of cc_apply and cc_query: the topology, the selected nodes, the key, and the
// format of the report.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "tools/kit/port_options.h"

namespace pssp {

struct CcOptions {
  std::string topology;
  std::vector<std::string> nodes;  ///< selected nodes; empty: all
  std::string cc_key, cc_key_file;
  PortOptions port;
  bool per_node = false;
  bool json = false;

  /// Adds all options except the topology operand. The object must outlive the parsing.
  void add_options(CommandLine& line);

  /// The selected nodes of the topology. Prints warnings to stderr, with the tool's name. Throws
  /// Error(unreadable_input), also if the topology has no LIDs, and Error(usage).
  std::vector<CcNode> load_nodes(const char* tool) const;
  /// The CC_Key of the fabric. Throws Error(usage), Error(unreadable_input).
  std::uint64_t key() const;
};

}  // namespace pssp
