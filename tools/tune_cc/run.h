#pragma once

#include <filesystem>

#include "evaluator/parallel/processes.h"
#include "tools/tune_cc/options.h"

namespace pssp {

/// Searches, together with the other processes, of which the first one writes the results.
/// `program` is the path of the executable. Returns the exit code; throws Error and
/// FailedElsewhere.
int tune_cc(const TuneOptions& options, const std::filesystem::path& program, Processes& processes);

}  // namespace pssp
