#pragma once

// Reads the forwarding tables of the InfiniBand model for OMNeT++, as written by the scripts of the
// thesis "Exploring InfiniBand Congestion Control In Mesh Topologies" (section 3.5.4, Tables 3.4
// and 3.5, appendix A.2).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/formats/lft_file.h"
#include "fabric/formats/omnet/omnet_ned_file.h"

namespace pssp {

struct OmnetTables {
  struct Row {
    std::uint64_t index = 0;  ///< before the colon
    std::size_t line = 0;
    std::vector<PortNumber> ports;  ///< by LID, as in the file: from 0, 255 without a route
  };
  std::string name;
  std::vector<Row> rows;
};

/// `name` stands for the file in messages. Throws Error(unreadable_input) with file:line. O(size).
OmnetTables parse_omnet_fdbs(std::string_view text, std::string_view name);

/// The tables of the network as a dump for match_tables(). Row 11 belongs to switch SW11; if no row
/// has the number of a switch, and rows are numbered from 0 on, they belong to the switches in the
/// order of the network. Throws Error(mismatch) if rows and switches do not correspond.
LftFile to_lft_file(const OmnetNetwork& network, const OmnetTables& tables);

}  // namespace pssp
