#pragma once

#include "tools/fault_impact/options.h"

namespace pssp {

/// Computes all faults and writes the report. Returns the exit code; throws Error.
int fault_impact(const FaultOptions& options);

}  // namespace pssp
