// Replaces reroute_impact --live in builds without the libraries for live fabrics.

#include "base/error.h"
#include "tools/reroute_impact/live_run.h"

namespace pssp {

int watch_reroutes(const RerouteOptions&) {
  throw Error(ErrorKind::usage,
              "--live: this program was built without access to fabrics; rebuild it with "
              "-DPSSP_BUILD_CC_TOOLS=ON, or give tables before and after the change");
}

}  // namespace pssp
