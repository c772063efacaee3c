#pragma once

#include "tools/reroute_impact/options.h"

namespace pssp {

/// Reads, compares and writes the report; returns the exit code. Throws Error.
int reroute_impact(const RerouteOptions& options);

}  // namespace pssp
