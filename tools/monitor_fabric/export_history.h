#pragma once

// `monitor_fabric export`: counters, or the topology of a time, out of a database.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_export_command();

}  // namespace pssp
