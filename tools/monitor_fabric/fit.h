#pragma once

// `monitor_fabric fit`: which nodes may get jobs?

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_fit_command();

}  // namespace pssp
