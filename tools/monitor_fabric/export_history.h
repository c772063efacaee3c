#pragma once

// `monitor_fabric export`: exports counters, or the topology of a time, from a database.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_export_command();

}  // namespace pssp
