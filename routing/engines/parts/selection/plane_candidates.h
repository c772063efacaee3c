#pragma once

// Tables for fabrics whose hosts have several LIDs, made of those that are good for base LIDs.

#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "routing/engines/parts/selection/selection.h"

namespace pssp {

/// `base` with all LIDs but the base LIDs routed from scratch by the paths that it keeps to:
/// diverse, and turned (lid_planes.h). At most `workers` threads at once; the same for any number.
/// Throws Stopped.
std::vector<TableCandidate> with_other_planes(const Fabric& fabric, const TableCandidate& base,
                                              unsigned workers, const StopSignal& stop);

}  // namespace pssp
