#pragma once

// Coordinates of what is left of a mesh or torus that has lost links and switches.

#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "routing/mesh/mesh_coordinates.h"

namespace pssp {

/// One mesh for each island, as recognise_meshes() has them, with gaps: places without a switch,
/// and neighbours that no link joins. Coordinates of a mesh that is hardly damaged are those of the
/// whole one, but where its first switch is gone. Nothing where an island fits into no mesh, or
/// only into one of which more than a quarter of the links are missing; who wants to know why asks
/// recognise_meshes(). O(n d^2 + pairs of links of one switch * log n) for n switches of d
/// neighbours; d is bounded as there.
std::optional<std::vector<MeshCoordinates>> recognise_damaged_meshes(const Fabric& fabric);

}  // namespace pssp
