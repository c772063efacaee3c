#pragma once

#include <span>

#include "fabric/fabric.h"
#include "simulator/adapter/addressing.h"
#include "simulator/changes/network_changes.h"
#include "simulator/network/network.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// Throws Error(usage) if a value of the traffic is out of range, and Error(mismatch) if the fabric
/// has no LIDs.
void check_traffic(const Fabric& fabric, const Traffic& traffic);

/// Throws Error(verification_failed) if traffic would not arrive; with `answers`, also if BECN
/// packets would not, and if the tables of a change have a loop or lead to a wrong host.
void check_routes(const Fabric& fabric, const Network& network,
                  std::span<const NetworkChange> changes, const Addressing& addressing,
                  const Traffic& traffic, bool answers);

}  // namespace pssp
