#pragma once

// Service levels of all routes: which one a packet carries from a source to a destination LID.
//
// InfiniBand chooses the service level once, at the source (the SL of the path record); on the way
// each switch maps it to a virtual lane. All sources at one switch share their routes, so one level
// for each (source switch, destination LID) is all that can be told apart.

#include <cstdint>

#include "fabric/ids.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/switch_lid_table.h"

namespace pssp {

using ServiceLevel = std::uint8_t;
/// There are the levels 0 .. 15 (InfiniBand architecture 1.3, section 7.6.5).
constexpr unsigned service_level_count = 16;
/// Data lanes 0 .. 14; lane 15 is for subnet management alone (section 7.6.4).
constexpr unsigned max_data_lanes = 15;
/// "There is no such route."
constexpr ServiceLevel no_service_level = 0xFF;

struct ServiceLevelEntry {
  using Value = ServiceLevel;
  static constexpr ServiceLevel none = no_service_level;
};

/// Entry (switch, LID) is the level of packets for that LID from all sources at the switch: the end
/// ports that are cabled to it and its own port 0.
using ServiceLevels = SwitchLidTable<ServiceLevelEntry>;

/// Level 0 for each entry of the tables: how paths go when no level is chosen. O(entries).
ServiceLevels level_zero(const ForwardingTables& tables);

}  // namespace pssp
