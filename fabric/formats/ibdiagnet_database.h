#pragma once

// Reads ibdiagnet's database (ibdiagnet2.db_csv, ibdiagnet.db_csv) as a topology: its sections
// NODES, PORTS and LINKS, ignoring all others.

#include <string_view>

#include "fabric/formats/ibdiagnet_sections.h"
#include "fabric/formats/topology_file.h"
#include "fabric/link_rate.h"

namespace pssp {

/// Base LIDs, LMCs and rates come from section PORTS; without this section they are unknown. Ports
/// that LINKS does not mention have no cable. `name` stands for the file in messages. Throws
/// Error(unreadable_input) with file:line for contradictions, and if NODES or LINKS is missing.
/// Links that are down, links and ports of nodes missing in NODES, and unknown rates cause
/// warnings. O(size log size).
TopologyFile parse_ibdiagnet_database(std::string_view text, std::string_view name);

/// The rate in columns LinkWidthActv and LinkSpeedActv of the current row of section PORTS; unknown
/// if they are missing or have other codes.
LinkRate active_rate(const IbdiagnetSections& row);

}  // namespace pssp
