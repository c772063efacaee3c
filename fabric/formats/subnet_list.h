#pragma once

// Reads link lists: opensm-subnet.lst, which opensm writes into its dump folder after each sweep,
// and ibdiagnet.lst of ibutils. Each line describes a link and its two ends.

#include <filesystem>
#include <string_view>

#include "fabric/formats/topology_file.h"

namespace pssp {

/// Base LIDs come from the file; LMCs are assumed to be 0. The file does not contain nodes without
/// a live link. `name` stands for the file in messages. Throws Error(unreadable_input) with
/// file:line. O(size).
TopologyFile parse_subnet_list(std::string_view text, std::string_view name);

}  // namespace pssp
