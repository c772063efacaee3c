#pragma once

// `monitor_fabric advise`: evaluates other tables for the current traffic.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_advise_command();

}  // namespace pssp
