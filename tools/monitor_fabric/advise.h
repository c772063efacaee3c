#pragma once

// `monitor_fabric advise`: would other tables be better under this traffic?

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_advise_command();

}  // namespace pssp
