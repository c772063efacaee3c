#pragma once

// `monitor_fabric plan`: predicts the size of the database.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_plan_command();

}  // namespace pssp
