#pragma once

// Candidates for fabrics whose hosts have several LIDs, made from tables that are good for base
// LIDs.

#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "routing/engines/parts/selection/selection.h"

namespace pssp {

/// `base` with new routes to the additional LIDs, diverse and turned (lid_planes.h), by paths of
/// the kind that `base` uses. Uses at most `workers` threads; their number does not change the
/// result. Throws Stopped.
std::vector<TableCandidate> with_other_planes(const Fabric& fabric, const TableCandidate& base,
                                              unsigned workers, const StopSignal& stop);

}  // namespace pssp
