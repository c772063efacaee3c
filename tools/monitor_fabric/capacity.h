#pragma once

// `monitor_fabric capacity`: tells routing what bad links are worth.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_capacity_command();

}  // namespace pssp
