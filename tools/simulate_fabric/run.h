#pragma once

#include <filesystem>

#include "evaluator/parallel/processes.h"
#include "tools/simulate_fabric/options.h"

namespace pssp {

/// Runs everything, a share of it in each process; the first one writes the answers. `program` is
/// the path of the executable. The exit code; throws Error and FailedElsewhere.
int simulate_fabric(const SimulateOptions& options, const std::filesystem::path& program,
                    Processes& processes);

}  // namespace pssp
