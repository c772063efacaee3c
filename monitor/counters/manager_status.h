#pragma once

// The subnet managers, according to SMInfo.

#include <cstdint>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

struct ManagerRecord {
  Guid guid = 0;       ///< of the port; 0 if it never answered
  Guid node_guid = 0;  ///< 0 if the map does not contain the port
  Lid lid = no_lid;
  std::uint8_t priority = 0;
  std::uint8_t state = 0;  ///< 0 inactive, 1 discovering, 2 standby, 3 master
  std::uint32_t activity_count = 0;
  bool answered = false;
};

struct ManagerStatus {
  std::int64_t time_ms = 0;
  /// At the LID in the PortInfo of the monitor's port; lid is no_lid if there is none.
  ManagerRecord master;
  std::vector<ManagerRecord> others;  ///< further ports with IsSM, by LID
  unsigned master_changes = 0;        ///< since the start of the program
};

}  // namespace pssp
