#pragma once

// The path that a pair of hosts has in the tables.

#include "evaluator/paths/path.h"
#include "evaluator/patterns/flow.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// From host to host of the pair (positions in Fabric::endpoints()), to the base LID. O(switches).
Path path_of_pair(const Fabric& fabric, const ForwardingTables& tables, Flow pair);

}  // namespace pssp
