#pragma once

#include <filesystem>

#include "tools/simulate_fabric/options.h"

namespace pssp {

/// Runs everything and writes the answers. `program` is the path of the executable. The exit code;
/// throws Error.
int simulate_fabric(const SimulateOptions& options, const std::filesystem::path& program);

}  // namespace pssp
