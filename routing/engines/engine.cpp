// What comes before the work of every engine: whether there is anything to route, and whether it is
// still wanted.

#include "routing/engines/engine.h"

#include "base/error.h"

namespace pssp {

Routing RoutingEngine::route(const Fabric& fabric, const RouteRequest& request) const {
  if (!fabric.has_lids()) {
    throw Error(ErrorKind::usage, "the fabric has no LIDs to route; assign them first");
  }
  request.stop.check("routing");
  return compute(fabric, request);
}

}  // namespace pssp
