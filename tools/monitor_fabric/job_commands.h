#pragma once

// jobs, who, job: which jobs there are, who uses a link, and what a job did.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_jobs_command();
MonitorCommandPointer make_who_command();
MonitorCommandPointer make_job_command();

}  // namespace pssp
