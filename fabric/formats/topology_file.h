#pragma once

// Reads topologies: ibsim net files and the output of ibnetdiscover, which has the same notation
// with more information per line.
//
// Accepts irregular files: CRLF line ends, blanks for tabs, console output before and after the
// content, missing blank lines between nodes, descriptions with quotes, '#' or '[', undefined
// nodes, links listed only at one end. Nothing is guessed; warnings list what is left out;
// contradictions are errors.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/builder.h"

namespace pssp {

struct TopologyFile {
  FabricBuilder builder;
  /// Whether nodes got GUIDs by file order. Such GUIDs occur in any two net files, so matching with
  /// a dump must compare the descriptions, too.
  bool has_made_up_guids = false;
  std::vector<std::string> warnings;  ///< one line each, with counts and examples
};

/// Throws Error(unreadable_input) with file:line, what was found and what was expected. Missing
/// GUIDs are assigned by file order, as in ibsim 0.10 (switches 0x200000, 0x200001 ...; adapters
/// 0x100000 + ports + 1 each; port GUID = node GUID + port number).
TopologyFile read_topology(const std::filesystem::path& path);
/// The same for text in memory; `name` stands for the file in messages. O(size).
TopologyFile parse_topology(std::string_view text, std::string_view name);

}  // namespace pssp
