#pragma once

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_record_command();

}  // namespace pssp
