#pragma once

// `monitor_fabric check`: is anything broken?

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_check_command();

}  // namespace pssp
