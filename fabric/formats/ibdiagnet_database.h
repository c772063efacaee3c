#pragma once

// Reader of ibdiagnet's database (ibdiagnet2.db_csv, ibdiagnet.db_csv) as a topology: its sections
// NODES, PORTS and LINKS. All others are skipped.

#include <string_view>

#include "fabric/formats/ibdiagnet_sections.h"
#include "fabric/formats/topology_file.h"
#include "fabric/link_rate.h"

namespace pssp {

/// Base LIDs and LMCs come from section PORTS, rates of links as well; without this section there
/// are none. Ports that LINKS does not mention have no cable. `name` stands for the file in
/// messages. Throws Error(unreadable_input) with file:line on what contradicts itself and where
/// NODES or LINKS is missing. Links that are down, links and ports of nodes that NODES does not
/// have, and rates that are not understood are warnings. O(size log size).
TopologyFile parse_ibdiagnet_database(std::string_view text, std::string_view name);

/// Columns LinkWidthActv and LinkSpeedActv of the current row of section PORTS; not stated where
/// they are absent or have other codes.
LinkRate active_rate(const IbdiagnetSections& row);

}  // namespace pssp
