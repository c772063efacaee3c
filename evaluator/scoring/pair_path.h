#pragma once

// The path between a pair of hosts in the tables.

#include "evaluator/paths/path.h"
#include "evaluator/patterns/flow.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// From source to destination (positions in Fabric::endpoints()), to the base LID. O(switches).
Path path_of_pair(const Fabric& fabric, const ForwardingTables& tables, Flow pair);

}  // namespace pssp
