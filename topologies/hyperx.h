#pragma once

// HyperX networks (Ahn, Binkert, Davis, McLaren, Schreiber: HyperX, SC 2009), also known as
// generalized hypercubes: along each dimension, every switch has a cable to every other switch.
// Hypercubes (sizes 2, 2 .. 2) and full meshes (one dimension) are special cases.

#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

struct HyperxParameters {
  std::vector<unsigned> sizes;  ///< switches along each dimension
  unsigned hosts = 1;           ///< at each switch
};

/// Ports: hosts, then for each dimension the other switches in ascending order of coordinates.
/// Throws Error(usage).
CablingPlan make_hyperx(const HyperxParameters& parameters);

}  // namespace pssp
