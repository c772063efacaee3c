#pragma once

// Forwarding tables whose topology is not at hand, in the form that writers of tables take.

#include "fabric/formats/lft_file.h"
#include "fabric/input/fabric_input.h"

namespace pssp {

/// The switches of the dump and the owners of its LIDs as far as its comments tell them, without
/// any cable, and the tables as they are. Throws Error(mismatch) when a port has LIDs that no port
/// can have.
FabricInput to_fabric_without_cables(const LftFile& dump);

}  // namespace pssp
