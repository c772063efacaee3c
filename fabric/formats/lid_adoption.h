#pragma once

// Gives a topology without LIDs the LIDs of a dump. Used by match_tables() only.

#include <vector>

#include "fabric/builder.h"
#include "fabric/formats/lft_file.h"

namespace pssp {

/// Sets the LIDs and LMCs that the comments of the dump say. Returns the GUID that each switch of
/// the dump has in the topology, 0 where it is not there. Throws Error(mismatch) when the dump does
/// not say whose the LIDs are, or gives a port LIDs that no port can have.
std::vector<Guid> adopt_lids(FabricBuilder& builder, const LftFile& dump);

}  // namespace pssp
