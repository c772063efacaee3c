#pragma once

// What cc_apply and cc_query share on the command line: the topology, which nodes of it, the key
// that they ask for, and how the report is written.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"
#include "tools/kit/port_options.h"

namespace pssp {

struct CcOptions {
  std::string topology;
  std::vector<std::string> nodes;  ///< those that are wanted; empty: all
  std::string cc_key, cc_key_file;
  PortOptions port;
  bool per_node = false;
  bool json = false;

  /// Adds all options but the operand that is the topology. The object must outlive the parsing.
  void add_options(CommandLine& line);

  /// The wanted nodes of the topology. Warnings go to stderr, with the tool's name. Throws
  /// Error(unreadable_input), also when the topology has no LIDs, and Error(usage).
  std::vector<CcNode> load_nodes(const char* tool) const;
  /// The CC_Key of the fabric. Throws Error(usage), Error(unreadable_input).
  std::uint64_t key() const;
};

}  // namespace pssp
