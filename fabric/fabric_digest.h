#pragma once

// Digests to detect changes of a fabric.

#include "base/digest.h"
#include "fabric/fabric.h"

namespace pssp {

/// Covers everything that a routing engine can read: GUIDs, names, LIDs, cabling, rates. Equal
/// fabrics have equal digests in all runs of the same build. O(ports + LIDs).
DigestValue digest_of(const Fabric& fabric);

/// Covers the switches by GUID, the cables between them and their rates, which determine the paths
/// between switches. O(channels).
DigestValue digest_of_cables(const Fabric& fabric);

}  // namespace pssp
