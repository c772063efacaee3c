#pragma once

// jobs, who, job: list jobs, the users of a link, and the activity of a job.

#include "tools/monitor_fabric/command.h"

namespace pssp {

MonitorCommandPointer make_jobs_command();
MonitorCommandPointer make_who_command();
MonitorCommandPointer make_job_command();

}  // namespace pssp
