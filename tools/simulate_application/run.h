#pragma once

#include "evaluator/parallel/processes.h"
#include "tools/simulate_application/options.h"

namespace pssp {

/// Simulates the application, as one of the processes, and writes the report. Returns the exit
/// code; throws Error, FailedElsewhere.
int simulate_application(const ApplicationOptions& options, Processes& processes);

}  // namespace pssp
