#pragma once

// Random regular graphs of switches: connected, without parallel links.

#include "topologies/cabling_plan.h"

namespace pssp {

struct RandomRegularParameters {
  unsigned switches = 0;
  unsigned degree = 0;  ///< links of a switch to others
  unsigned hosts = 1;   ///< at each switch
};

/// Ports: hosts, then the neighbours in the order of their numbers. Throws Error(usage) where no
/// connected simple graph is that regular: degree >= switches, an odd number of link ends, or a
/// degree too small to connect.
CablingPlan make_random_regular(const RandomRegularParameters& parameters, std::uint64_t seed);

}  // namespace pssp
