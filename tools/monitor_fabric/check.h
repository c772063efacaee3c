#pragma once

// `monitor_fabric check`: reports faults.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_check_command();

}  // namespace pssp
