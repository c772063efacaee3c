#pragma once

// Assigns the LIDs of a dump to a topology without LIDs, or to its switches without one. Used only
// by match_tables().

#include <string>
#include <vector>

#include "fabric/builder.h"
#include "fabric/formats/lft_file.h"

namespace pssp {

/// Sets the LIDs and LMCs in the comments of the dump. Returns the GUID of each switch of the dump
/// in the topology, 0 if it is missing. Throws Error(mismatch) if the dump does not name the owners
/// of LIDs, or gives a port impossible LIDs.
std::vector<Guid> adopt_lids(FabricBuilder& builder, const LftFile& dump);

/// In a topology with LIDs: gives each switch without one the LID of its GUID in the dump, unless
/// another node has that LID. For GUIDs assigned by file order, the descriptions must agree, too.
/// Returns an entry for a warning for each of these switches.
std::vector<std::string> adopt_switch_lids(FabricBuilder& builder, const LftFile& dump,
                                           bool guids_are_made_up);

}  // namespace pssp
