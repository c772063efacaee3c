#pragma once

// `monitor_fabric capacity`: writes the capacities of bad links for routing.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_capacity_command();

}  // namespace pssp
