#pragma once

// reroute_impact --live.

#include "tools/reroute_impact/options.h"

namespace pssp {

/// Watches the fabric until the time is over, or Ctrl-C. Throws Error(fabric_access); Error(usage)
/// if the program was built without access to fabrics.
int watch_reroutes(const RerouteOptions& options);

}  // namespace pssp
