#pragma once

// `monitor_fabric serve`: the daemon.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_serve_command();

}  // namespace pssp
