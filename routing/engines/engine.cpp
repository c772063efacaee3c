// What every engine does before its own work: looks whether there is anything to route.

#include "routing/engines/engine.h"

#include "base/error.h"

namespace pssp {

Routing RoutingEngine::route(const Fabric& fabric, const Acceptance& accept) const {
  if (!fabric.has_lids()) {
    throw Error(ErrorKind::usage, "the fabric has no LIDs to route; assign them first");
  }
  return accept ? compute_accepted(fabric, accept) : compute(fabric);
}

}  // namespace pssp
