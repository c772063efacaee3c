#pragma once

#include "tools/locate_slow/options.h"

namespace pssp {

/// Returns the exit code: 7 if something is slow. Throws Error.
int locate_slow(const SlowOptions& options);

}  // namespace pssp
