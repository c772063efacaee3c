#pragma once

// How opensm's `file` engine interprets a file of tables, and the requirements on the file.

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The tables of `file` in a fabric whose LIDs may differ: as in opensm, switches are matched by
/// GUID, LIDs by the port GUID in an entry's comment, or by value without a comment. Switches and
/// ports that the fabric lacks are ignored. `fabric` must have LIDs. O(LIDs * switches).
ForwardingTables handed_over(const LftFile& file, const Fabric& fabric);

/// Throws if opensm would accept the file, but leave the fabric without routes, or with routes of
/// another fabric: Error(unreadable_input) for a format that opensm does not read; Error(mismatch)
/// if fewer than half of the switches or ports are those of the fabric, or ports have another
/// number of LIDs; Error(verification_failed) for switches or ports of the fabric that the file
/// lacks, and LIDs without a port GUID. Returns warnings.
std::vector<std::string> require_whole(const LftFile& file, const Fabric& fabric);

/// For previous tables, which may lack new nodes: throws Error(mismatch) if they belong to another
/// fabric, by their switches and, if entries name any, their ports.
void require_of_fabric(const LftFile& file, const Fabric& fabric);

}  // namespace pssp
