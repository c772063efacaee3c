#pragma once

// What becomes of a file of tables that opensm's `file` engine is given, and what must be in it.

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The tables of `file` in a fabric whose LIDs may be others: switches go by their GUID, LIDs by
/// the GUID of the port that the comment behind an entry names, as opensm does; without a comment
/// by themselves. Switches and ports that the fabric does not have are left out. `fabric` must have
/// LIDs. O(LIDs * switches).
ForwardingTables handed_over(const LftFile& file, const Fabric& fabric);

/// Throws where opensm would take the file and leave the fabric without routes, or with routes of
/// another fabric: Error(unreadable_input) for a notation that opensm does not read;
/// Error(mismatch) where fewer than half of the switches or ports are those of the fabric, or ports
/// have another number of LIDs; Error(verification_failed) for switches or ports of the fabric that
/// the file lacks, and LIDs without a port GUID. Returns what is only odd, for warnings.
std::vector<std::string> require_whole(const LftFile& file, const Fabric& fabric);

/// For tables of before, which may lack what is new: Error(mismatch) where they are of another
/// fabric, by switches and, where entries name any, by ports.
void require_of_fabric(const LftFile& file, const Fabric& fabric);

}  // namespace pssp
