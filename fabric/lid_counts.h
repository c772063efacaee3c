#pragma once

// How many LIDs ports have.

#include "fabric/fabric.h"

namespace pssp {

/// LIDs of the end port that has most, routers and the like among them; 1 where there are none.
unsigned most_lids_of_an_end_port(const Fabric& fabric);

/// The same of the endpoints, which are the hosts of traffic.
unsigned most_lids_of_a_host(const Fabric& fabric);

}  // namespace pssp
