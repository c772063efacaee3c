#pragma once

// Names of nodes by GUID, as for opensm, ibnetdiscover and the exporters (node-name-map): one line
// `0x0002c90200423e10 "leaf 1"` per node, and comments after '#'. Without quotes, a name ends with
// the line, or at a '#'.

#include <string>
#include <string_view>
#include <unordered_map>

#include "fabric/ids.h"

namespace pssp {

using NodeNameMap = std::unordered_map<Guid, std::string>;

/// `name` stands for the file in messages. Names are unchanged, untrusted text. Throws
/// Error(unreadable_input), "name:line: ..", for an invalid line, and for a repeated GUID.
NodeNameMap parse_node_name_map(std::string_view text, std::string_view name);
/// Reads a file of at most 64 MiB. Errors as above, and if it cannot be read.
NodeNameMap read_node_name_map(const std::string& file);

}  // namespace pssp
