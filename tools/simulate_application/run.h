#pragma once

#include "tools/simulate_application/options.h"

namespace pssp {

/// Plays the application and writes the answer. The exit code; throws Error.
int simulate_application(const ApplicationOptions& options);

}  // namespace pssp
