#pragma once

#include "ibsim_harness/surroundings.h"
#include "tools/dry_run/options.h"

namespace pssp {

/// Returns the exit code; of several engines the first other than 0. Throws Error.
int dry_run(const DryRunOptions& options, const Surroundings& surroundings);

}  // namespace pssp
