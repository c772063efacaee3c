#pragma once

// `monitor_fabric links | ports | nodes | events`: lists from a database.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_links_command();
MonitorCommandPointer make_ports_command();
MonitorCommandPointer make_nodes_command();
MonitorCommandPointer make_events_command();

}  // namespace pssp
