#pragma once

#include "tools/route_lft/options.h"

namespace pssp {

/// Reads, routes, verifies, writes, and reports; returns the exit code. Throws Error.
int run(const RouteLftOptions& options);

}  // namespace pssp
