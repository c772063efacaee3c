#pragma once

// HyperX networks (Ahn, Binkert, Davis, McLaren, Schreiber: HyperX, SC 2009; also known as
// generalised hypercubes): along each dimension every switch has a cable to every other. Hypercubes
// (sizes 2, 2 .. 2) and full meshes (one dimension) are such.

#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

struct HyperxParameters {
  std::vector<unsigned> sizes;  ///< switches along each dimension
  unsigned hosts = 1;           ///< at each switch
};

/// Ports: hosts, then dimension by dimension the other switches in ascending order of coordinate.
/// Throws Error(usage).
CablingPlan make_hyperx(const HyperxParameters& parameters);

}  // namespace pssp
