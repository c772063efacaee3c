#pragma once

// A quick proof that packets arrive: each entry leads at least one hop nearer to the destination.
// It reads the tables in memory order, so that it is several times faster than following the routes
// of each LID.

#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// LIDs, ascending, without a proof that all switches deliver to the port of the LID over live
/// links. LIDs whose port has no cable are left out. On fabrics of many thousand switches, the
/// proof needs too much memory, and the function returns all LIDs. O(LIDs * switches).
std::vector<Lid> lids_without_quick_proof(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
