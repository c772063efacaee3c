#pragma once

#include "ibsim_harness/surroundings.h"
#include "tools/compare_engines/options.h"

namespace pssp {

/// Tries all engines, compares, and answers in every form that is wanted. The exit code.
int compare_engines(const CompareOptions& options, const Surroundings& surroundings);

}  // namespace pssp
