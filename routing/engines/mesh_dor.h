#pragma once

// Dimension-order routing on meshes and tori (engine "meshdor").

#include "routing/engines/engine.h"

namespace pssp {

extern const EngineDescription mesh_dor_engine;

/// Like the engine, but with a different order of dimensions for each LID of a host (LMC > 0): for
/// base LIDs that of the engine, for second LIDs its reverse, for further LIDs rotations of both.
/// So few pairs of LIDs of a host share a path. Throws the errors of the engine.
ForwardingTables route_mesh_in_planes(const Fabric& fabric, const EngineOptions& options,
                                      const RouteRequest& request = {});

}  // namespace pssp
