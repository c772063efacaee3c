#pragma once

// Meshes and tori of any number of dimensions.

#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

enum class MeshPorts : std::uint8_t {
  regular,  ///< hosts, then for each dimension its minus and its plus direction; the same at every
            ///< switch
  thesis,   ///< numbering and names of the congestion-control thesis, section 3.3 (thesis_mesh.h)
};

struct MeshParameters {
  std::vector<unsigned> sizes;  ///< switches along each dimension
  unsigned hosts = 1;           ///< at each switch
  unsigned parallel = 1;        ///< cables between neighboring switches
  bool wraps = false;           ///< a torus; a dimension of two switches has no wraparound cables
  MeshPorts ports = MeshPorts::regular;
};

/// Switches are added in the order in which the last coordinate varies fastest, each followed by
/// its hosts. Throws Error(usage).
CablingPlan make_mesh(const MeshParameters& parameters);

}  // namespace pssp
