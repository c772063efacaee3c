#pragma once

// `monitor_fabric fit`: reports which nodes are fit for jobs.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_fit_command();

}  // namespace pssp
