#pragma once

#include <filesystem>

#include "tools/tune_cc/options.h"

namespace pssp {

/// Searches and writes the answers. `program` is the path of the executable. The exit code; throws
/// Error.
int tune_cc(const TuneOptions& options, const std::filesystem::path& program);

}  // namespace pssp
