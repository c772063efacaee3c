#pragma once

// Who manages the subnet, as SMInfo says.

#include <cstdint>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

struct ManagerRecord {
  Guid guid = 0;       ///< of the port; 0 where it never answered
  Guid node_guid = 0;  ///< 0 where the map does not have the port
  Lid lid = no_lid;
  std::uint8_t priority = 0;
  std::uint8_t state = 0;  ///< 0 inactive, 1 discovering, 2 standby, 3 master
  std::uint32_t activity_count = 0;
  bool answered = false;
};

struct ManagerStatus {
  std::int64_t time_ms = 0;
  ManagerRecord master;  ///< of the LID that our own port names; lid is no_lid where it names none
  std::vector<ManagerRecord> others;  ///< further ports with IsSM, by LID
  unsigned master_changes = 0;        ///< since the program started
};

}  // namespace pssp
