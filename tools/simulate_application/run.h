#pragma once

#include "evaluator/parallel/processes.h"
#include "tools/simulate_application/options.h"

namespace pssp {

/// Plays the application, as one of the processes, and writes the answer. The exit code; throws
/// Error, FailedElsewhere.
int simulate_application(const ApplicationOptions& options, Processes& processes);

}  // namespace pssp
