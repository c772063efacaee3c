#pragma once

// Configuration of OpenSM's engine torus-2QoS for a torus or mesh.

#include <string>

#include "fabric/fabric.h"

namespace pssp {

/// The text of a torus-2QoS.conf. Throws Error(unsuitable_topology), naming a responsible switch,
/// if the fabric is not one complete mesh or torus of up to three dimensions (ignoring switches
/// without links). As expensive as recognise_meshes().
std::string torus_configuration(const Fabric& fabric);

}  // namespace pssp
