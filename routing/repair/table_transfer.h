#pragma once

// Brings the tables of a fabric as it was into the numbering of the fabric as it is.

#include <span>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Rows go to the switch of the same GUID, columns keep their LID, entries their port number. Rows
/// of switches that are gone are dropped, those of new ones are empty. What the entries lead to is
/// not looked at. O(LIDs * switches).
ForwardingTables transfer_tables(const Fabric& before, const ForwardingTables& tables,
                                 const Fabric& now);

/// The same where only the GUIDs of the switches are left of the fabric, by row of the tables.
ForwardingTables transfer_tables(std::span<const Guid> switches, const ForwardingTables& tables,
                                 const Fabric& now);

/// The same for a dump, whose fabric is not at hand. Throws Error(mismatch) when no switch of the
/// fabric is in the dump: then it is another fabric's, or says no GUIDs.
ForwardingTables transfer_tables(const LftFile& dump, const Fabric& now);

}  // namespace pssp
