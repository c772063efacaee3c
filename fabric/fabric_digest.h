#pragma once

// Whether a fabric is the one that it was.

#include "base/digest.h"
#include "fabric/fabric.h"

namespace pssp {

/// Of all that a routing engine can see of it: GUIDs, names, LIDs, cabling, rates. Equal fabrics
/// have equal digests in any run of the same build. O(ports + LIDs).
DigestValue digest_of(const Fabric& fabric);

/// Of its switches by GUID, of the cables between them and their rates: what the paths between
/// switches depend on. O(channels).
DigestValue digest_of_cables(const Fabric& fabric);

}  // namespace pssp
