#pragma once

// `monitor_fabric once`: two sweeps and a table of the ports.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_once_command();

}  // namespace pssp
