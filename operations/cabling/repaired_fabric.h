#pragma once

// What a fabric is once everything that is cabled otherwise than planned is repaired.

#include "fabric/builder.h"
#include "operations/cabling/cabling.h"
#include "operations/cabling/node_matching.h"

namespace pssp {

/// `builder` with the planned cables between all nodes that plan and fabric have. Nodes that only
/// the plan has stay missing; those that only the fabric has keep their cables, but where the plan
/// wants the port. `fabric` is what `builder` makes. A cable that is connected again has the
/// planned rate, or else that of what was plugged there; LIDs stay, and where no node has one all
/// get one. Throws Error(unreadable_input) where the plan has a port that the fabric's node lacks.
/// O(cables log cables).
Fabric repaired_fabric(FabricBuilder builder, const Cabling& plan, const Cabling& fabric,
                       const NodeMatching& matching);

}  // namespace pssp
