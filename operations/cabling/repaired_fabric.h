#pragma once

// Predicts the fabric after all cables are corrected according to the plan.

#include "fabric/builder.h"
#include "operations/cabling/cabling.h"
#include "operations/cabling/node_matching.h"

namespace pssp {

/// `builder` with the planned cables between all nodes that both plan and fabric have. Nodes that
/// only the plan has stay missing; nodes that only the fabric has keep their cables, unless the
/// plan uses the port. `fabric` must be built from `builder`. A reconnected cable has the planned
/// rate, or else that of the previous cable; LIDs stay, and if no node has one, all get one. Throws
/// Error(unreadable_input) if the plan has a port that the fabric's node lacks. O(cables log
/// cables).
Fabric repaired_fabric(FabricBuilder builder, const Cabling& plan, const Cabling& fabric,
                       const NodeMatching& matching);

}  // namespace pssp
