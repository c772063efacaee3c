#pragma once

#include "ibsim_harness/surroundings.h"
#include "tools/play_traffic/options.h"

namespace pssp {

/// Returns the exit code. Throws Error.
int replay_on_fabric(const PlayTrafficOptions& options, const Surroundings& surroundings);

}  // namespace pssp
