#pragma once

// Reader of the forwarding tables of the InfiniBand model for OMNeT++, as the scripts of the thesis
// "Exploring InfiniBand Congestion Control In Mesh Topologies" write them (section 3.5.4,
// Tables 3.4 and 3.5, appendix A.2).

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
    std::vector<PortNumber> ports;  ///< by LID, as in the file: from 0, 255 where there is no route
  };
  std::string name;
  std::vector<Row> rows;
};

/// `name` stands for the file in messages. Throws Error(unreadable_input) with file:line. O(size).
OmnetTables parse_omnet_fdbs(std::string_view text, std::string_view name);

/// The tables of the network as a dump that match_tables() takes. Row 11 is that of switch SW11;
/// where no row has the number of a switch, and rows are numbered from 0 on, those are the switches
/// in the order of the network. Throws Error(mismatch) where rows and switches are not the same.
LftFile to_lft_file(const OmnetNetwork& network, const OmnetTables& tables);

}  // namespace pssp
