#pragma once

// Finds dimensions and coordinates of meshes and tori from the cabling only.

#include <vector>

#include "fabric/fabric.h"
#include "routing/mesh/mesh_coordinates.h"

namespace pssp {

/// One mesh for each island (connected component of switches), in the order of their first
/// switches. Parallel links count once. Dimensions are sorted by descending size. Dimensions of
/// equal size are sorted by the neighbors of the first switch of the island (lowest SwitchId): the
/// dimension with the lower neighbor comes first. A ring of four is the same graph as a 2x2 mesh,
/// and becomes two dimensions of size 2.
///
/// Method: prime factorization of Cartesian products by squares (T. Feder, Product graph
/// representations, J. Graph Theory 16, 1992; W. Imrich, I. Peterin, Recognizing Cartesian products
/// in linear time, Discrete Math. 307, 2007).
///
/// Throws Error(unsuitable_topology) with the name of the defective switch. O(n log^2 n) for n
/// switches and any cabling: the search ends at once if a switch has more neighbors than possible
/// in a mesh of n switches.
std::vector<MeshCoordinates> recognise_meshes(const Fabric& fabric);

}  // namespace pssp
