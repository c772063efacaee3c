#pragma once

// Reader of topologies: ibsim net files and the output of ibnetdiscover, which is the same notation
// with more on each line.
//
// Real files are untidy: CRLF line ends, blanks for tabs, console banners above and below, missing
// blank lines between nodes, descriptions with quotes, '#' or '[' in them, nodes that are mentioned
// and never defined, links that only one side states. What can be understood without a guess is;
// what is left out is said in a warning; what contradicts itself is an error.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/builder.h"

namespace pssp {

struct TopologyFile {
  FabricBuilder builder;
  /// True when nodes got GUIDs by file order. Such GUIDs occur in any two net files, so that
  /// matching with a dump must look at the descriptions as well.
  bool has_made_up_guids = false;
  std::vector<std::string> warnings;  ///< one line each, with counts and examples, ready to print
};

/// Throws Error(unreadable_input) with file:line, what was found and what was expected. Nodes whose
/// GUID the file does not state get the GUIDs that ibsim 0.10 gives by file order (switches
/// 0x200000, 0x200001 ...; adapters 0x100000 + ports + 1 each; port GUID = node GUID + port
/// number).
TopologyFile read_topology(const std::filesystem::path& path);
/// The same for text in memory; `name` stands for the file in messages. O(size).
TopologyFile parse_topology(std::string_view text, std::string_view name);

}  // namespace pssp
