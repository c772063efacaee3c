#pragma once

// What OpenSM's engine torus-2QoS wants to be told about a torus or mesh.

#include <string>

#include "fabric/fabric.h"

namespace pssp {

/// The text of a torus-2QoS.conf. Throws Error(unsuitable_topology), naming a switch where one is
/// at fault, when the fabric is not one whole mesh or torus of up to three dimensions (switches
/// without links aside). As expensive as recognise_meshes().
std::string torus_configuration(const Fabric& fabric);

}  // namespace pssp
