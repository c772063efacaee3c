#pragma once

#include "tools/fault_impact/options.h"

namespace pssp {

/// Tries all faults and writes the answer. The exit code; throws Error.
int fault_impact(const FaultOptions& options);

}  // namespace pssp
