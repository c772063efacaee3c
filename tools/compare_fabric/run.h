#pragma once

#include "tools/compare_fabric/options.h"

namespace pssp {

/// Compares and writes the report. Returns the exit code: 0 as planned, 7 not. Throws Error.
int compare_fabric(const CompareFabricOptions& options);

}  // namespace pssp
