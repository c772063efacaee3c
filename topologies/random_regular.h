#pragma once

// Random regular graphs of switches: connected, without parallel links.

#include "topologies/cabling_plan.h"

namespace pssp {

struct RandomRegularParameters {
  unsigned switches = 0;
  unsigned degree = 0;  ///< links of a switch to other switches
  unsigned hosts = 1;   ///< at each switch
};

/// Ports: hosts, then neighbors in the order of their numbers. Throws Error(usage) if no connected
/// simple graph is regular with this degree: degree >= switches, an odd number of link ends, or a
/// degree that is too small for a connected graph.
CablingPlan make_random_regular(const RandomRegularParameters& parameters, std::uint64_t seed);

}  // namespace pssp
