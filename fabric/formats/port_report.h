#pragma once

// Reads reports that list ports: `ibnetdiscover -p`, and `iblinkinfo` with and without -l. Source
// of the formats: the output of infiniband-diags 2.1 and later on ibsim and in public files.

#include <string_view>

#include "fabric/formats/topology_file.h"

namespace pssp {

/// `CA    24  1 0x000000000010001f 4x SDR - SW     6  4 0x0000000000200003 ( 'host' - 'leaf' )`; a
/// port without a link has neither a second end nor parentheses. Base LIDs come from the file, LMCs
/// are assumed to be 0. Throws Error(unreadable_input) with file:line. O(size log size).
TopologyFile parse_port_report(std::string_view text, std::string_view name);

/// `     24    1[  ] ==( 4X   2.5 Gbps Active/  LinkUp)==>       6    4[  ] "leaf" (Could be 12X)`
/// below a line with the node, or, from `iblinkinfo -l`, with GUIDs and the name in the line. Links
/// that could be faster are a warning. Otherwise as parse_port_report().
TopologyFile parse_link_info(std::string_view text, std::string_view name);

}  // namespace pssp
