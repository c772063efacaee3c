#pragma once

// Service levels of all routes: the level of packets from a source to a destination LID.
//
// InfiniBand chooses the service level once, at the source (the SL of the path record); each switch
// on the path maps it to a virtual lane. All sources at one switch share their routes, so one level
// per (source switch, destination LID) suffices.

#include <cstdint>

#include "fabric/ids.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/switch_lid_table.h"

namespace pssp {

using ServiceLevel = std::uint8_t;
/// Levels 0 .. 15 (InfiniBand architecture 1.3, section 7.6.5).
constexpr unsigned service_level_count = 16;
/// Data lanes 0 .. 14; lane 15 is only for subnet management (section 7.6.4).
constexpr unsigned max_data_lanes = 15;
/// "There is no such route."
constexpr ServiceLevel no_service_level = 0xFF;

struct ServiceLevelEntry {
  using Value = ServiceLevel;
  static constexpr ServiceLevel none = no_service_level;
};

/// Entry (switch, LID) is the level of packets to that LID from all sources at the switch: its end
/// ports and its own port 0.
using ServiceLevels = SwitchLidTable<ServiceLevelEntry>;

/// Level 0 for each entry of the tables, the default level of paths. O(entries).
ServiceLevels level_zero(const ForwardingTables& tables);

}  // namespace pssp
