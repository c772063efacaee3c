#pragma once

// Names and port numbers of the meshes in the thesis on congestion control in meshes
// ("congestion-control-in-meshes", section 3.3), so that its forwarding tables (Tables 3.4 and 3.5)
// can be compared entry by entry.
//
// A switch has as many ports as hosts and neighbors together. Port p of the thesis is port p + 1
// here, because InfiniBand counts ports from 1.

#include <span>
#include <string>
#include <string_view>

#include "topologies/mesh.h"

namespace pssp {

/// Throws Error(usage) unless the thesis describes such a mesh: 2 or 3 dimensions (2 for a torus)
/// of 2 to 9 switches (so that a subscript is one digit), at most 9 hosts per switch, and single
/// cables.
void require_thesis_mesh(const MeshParameters& mesh);

/// "SW" and the subscripts, which are counted from 1.
std::string thesis_name(std::string_view prefix, std::span<const unsigned> coordinates);

/// Number of neighbors of a switch.
unsigned thesis_link_count(const MeshParameters& mesh, std::span<const unsigned> coordinates);

/// The index, from 0, of the link of the switch along the dimension towards larger (`plus`) or
/// smaller subscripts. The link must exist.
unsigned thesis_link_index(const MeshParameters& mesh, std::span<const unsigned> coordinates,
                           unsigned dimension, bool plus);

}  // namespace pssp
