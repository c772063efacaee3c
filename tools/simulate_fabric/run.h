#pragma once

#include <filesystem>

#include "evaluator/parallel/processes.h"
#include "tools/simulate_fabric/options.h"

namespace pssp {

/// Runs the simulations, a share in each process; the first one writes the results. `program` is
/// the path of the executable. Returns the exit code; throws Error and FailedElsewhere.
int simulate_fabric(const SimulateOptions& options, const std::filesystem::path& program,
                    Processes& processes);

}  // namespace pssp
