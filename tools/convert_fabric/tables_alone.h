#pragma once

// Forwarding tables without their topology, in the form that writers of tables need.

#include "fabric/formats/lft_file.h"
#include "fabric/input/fabric_input.h"

namespace pssp {

/// The switches of the dump and the owners of its LIDs from its comments, without cables, and the
/// unchanged tables. Throws Error(mismatch) if a port has impossible LIDs.
FabricInput to_fabric_without_cables(const LftFile& dump);

}  // namespace pssp
