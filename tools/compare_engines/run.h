#pragma once

#include "ibsim_harness/surroundings.h"
#include "tools/compare_engines/options.h"

namespace pssp {

/// Tries all engines, compares them, and writes all requested outputs. Returns the exit code.
int compare_engines(const CompareOptions& options, const Surroundings& surroundings);

}  // namespace pssp
