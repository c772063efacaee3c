#pragma once

// Reader of link lists: opensm-subnet.lst, which opensm writes into its dump folder after each
// sweep, and ibdiagnet.lst of ibutils. A line is a link with all that is known of its two ends.

#include <filesystem>
#include <string_view>

#include "fabric/formats/topology_file.h"

namespace pssp {

/// Base LIDs come from the file; LMCs are not in it and taken as 0. Nodes without a live link are
/// not in it either. Throws Error(unreadable_input) with file:line. O(size).
/// `name` stands for the file in messages.
TopologyFile parse_subnet_list(std::string_view text, std::string_view name);

}  // namespace pssp
