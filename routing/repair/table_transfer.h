#pragma once

// Converts tables of an earlier fabric to the numbering of the current fabric.

#include <span>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Matches switches by GUID; LIDs and port numbers stay. Drops rows of removed switches, and leaves
/// rows of new switches empty. Does not check the entries. O(LIDs * switches).
ForwardingTables transfer_tables(const Fabric& before, const ForwardingTables& tables,
                                 const Fabric& now);

/// The same, if of the earlier fabric only the GUIDs of the switches are known, by row of the
/// tables.
ForwardingTables transfer_tables(std::span<const Guid> switches, const ForwardingTables& tables,
                                 const Fabric& now);

/// The same for a dump without its fabric. Throws Error(mismatch) if the dump names no switch of
/// the fabric: it belongs to another fabric, or contains no GUIDs.
ForwardingTables transfer_tables(const LftFile& dump, const Fabric& now);

}  // namespace pssp
