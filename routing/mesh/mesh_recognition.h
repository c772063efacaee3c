#pragma once

// Finds dimensions and coordinates of meshes and tori from the cabling alone.

#include <vector>

#include "fabric/fabric.h"
#include "routing/mesh/mesh_coordinates.h"

namespace pssp {

/// One mesh for each island (connected component of switches), in the order of their first
/// switches. Parallel links count once. Dimensions are ordered by descending size; equal sizes by
/// the neighbours of the island's first switch (lowest SwitchId): the dimension that holds the
/// lower neighbour comes first. A ring of four is the same graph as a mesh of 2x2 and becomes two
/// dimensions of size 2.
///
/// Method: prime factorisation of Cartesian products through squares (T. Feder, Product graph
/// representations, J. Graph Theory 16, 1992; W. Imrich, I. Peterin, Recognizing Cartesian products
/// in linear time, Discrete Math. 307, 2007).
///
/// Throws Error(unsuitable_topology) naming the switch that is out of order. O(n log^2 n) for n
/// switches, whatever the cabling: a switch with more neighbours than a mesh of that many switches
/// can have ends the search at once.
std::vector<MeshCoordinates> recognise_meshes(const Fabric& fabric);

}  // namespace pssp
