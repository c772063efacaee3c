#pragma once

// Gives a topology without LIDs, or its switches without one, the LIDs of a dump. Used by
// match_tables() only.

#include <string>
#include <vector>

#include "fabric/builder.h"
#include "fabric/formats/lft_file.h"

namespace pssp {

/// Sets the LIDs and LMCs that the comments of the dump say. Returns the GUID that each switch of
/// the dump has in the topology, 0 where it is not there. Throws Error(mismatch) when the dump does
/// not say whose the LIDs are, or gives a port LIDs that no port can have.
std::vector<Guid> adopt_lids(FabricBuilder& builder, const LftFile& dump);

/// In a topology that has LIDs: gives each switch that has none the LID that the dump states for
/// its GUID, unless another node has that LID. Of GUIDs that were made up the descriptions must
/// agree, too. Returns what a warning names: an entry for each of these switches.
std::vector<std::string> adopt_switch_lids(FabricBuilder& builder, const LftFile& dump,
                                           bool guids_are_made_up);

}  // namespace pssp
