#pragma once

#include <span>

#include "fabric/fabric.h"
#include "simulator/adapter/addressing.h"
#include "simulator/changes/network_changes.h"
#include "simulator/network/network.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// Throws Error(usage) when a value of the traffic is out of its range, Error(mismatch) when the
/// fabric has no LIDs.
void check_traffic(const Fabric& fabric, const Traffic& traffic);

/// Throws Error(verification_failed) when something is sent that would not arrive; `answers`: also
/// when BECN packets on the way back would not; and where by the tables of a change something would
/// circle for ever, or come to a wrong host.
void check_routes(const Fabric& fabric, const Network& network,
                  std::span<const NetworkChange> changes, const Addressing& addressing,
                  const Traffic& traffic, bool answers);

}  // namespace pssp
