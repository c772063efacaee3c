#pragma once

#include "tools/route_lft/options.h"

namespace pssp {

/// Reads, routes, verifies, writes, and says what was done; the exit code. Throws Error.
int run(const RouteLftOptions& options);

}  // namespace pssp
