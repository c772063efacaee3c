#pragma once

// `monitor_fabric report`: a week of the fabric as one HTML file.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_report_command();

}  // namespace pssp
