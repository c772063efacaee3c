#pragma once

// Coordinates of a mesh or torus with missing links and switches.

#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "routing/mesh/mesh_coordinates.h"

namespace pssp {

/// One mesh for each island, as in recognise_meshes(), but with gaps: positions without a switch,
/// and neighbors without a link. If little is missing, the coordinates are the same as on the
/// complete mesh, unless its first switch is missing. Returns nothing if an island does not fit
/// into a mesh, or only into a mesh of which more than a quarter of the links are missing;
/// recognise_meshes() then gives the reason. O(n d^2 + pairs of links of one switch * log n) for n
/// switches with d neighbors; d is bounded as in recognise_meshes().
std::optional<std::vector<MeshCoordinates>> recognise_damaged_meshes(const Fabric& fabric);

}  // namespace pssp
