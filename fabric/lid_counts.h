#pragma once

// Numbers of LIDs of ports.

#include "fabric/fabric.h"

namespace pssp {

/// Largest number of LIDs of an end port, including routers and so on; 1 without end ports.
unsigned most_lids_of_an_end_port(const Fabric& fabric);

/// The same for the endpoints, which are the hosts of traffic.
unsigned most_lids_of_a_host(const Fabric& fabric);

}  // namespace pssp
