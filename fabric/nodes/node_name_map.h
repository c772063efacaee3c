#pragma once

// Names of nodes by GUID, as opensm, ibnetdiscover and the exporters take them (node-name-map): a
// line `0x0002c90200423e10 "leaf 1"` a node, and comments after '#'. Outside of quotes a name ends
// with the line, or at a '#'.

#include <string>
#include <string_view>
#include <unordered_map>

#include "fabric/ids.h"

namespace pssp {

using NodeNameMap = std::unordered_map<Guid, std::string>;

/// `name` stands for the file in messages. Names are as they stand there: hostile, clean before
/// showing. Throws Error(unreadable_input), "name:line: ..", on a line that is none of these, and
/// on a GUID that is given twice.
NodeNameMap parse_node_name_map(std::string_view text, std::string_view name);
/// A file of at most 64 MiB. Errors as above, and where it cannot be read.
NodeNameMap read_node_name_map(const std::string& file);

}  // namespace pssp
