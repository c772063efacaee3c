#pragma once

// `monitor_fabric plan`: how large the database will be.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_plan_command();

}  // namespace pssp
