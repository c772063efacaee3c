#pragma once

#include "tools/locate_slow/options.h"

namespace pssp {

/// The exit code: 7 where something is slow. Throws Error.
int locate_slow(const SlowOptions& options);

}  // namespace pssp
