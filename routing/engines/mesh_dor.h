#pragma once

// Dimension-order routing on meshes and tori (engine "meshdor").

#include "routing/engines/engine.h"

namespace pssp {

extern const EngineDescription mesh_dor_engine;

/// What the engine does, but that each LID of a host (LMC > 0) has an order of dimensions of its
/// own: base LIDs that of the engine, the second the reverse of it, further ones the order and its
/// reverse begun elsewhere. Few hosts then have paths that two of their LIDs share. Throws as the
/// engine does.
ForwardingTables route_mesh_in_planes(const Fabric& fabric, const EngineOptions& options,
                                      const RouteRequest& request = {});

}  // namespace pssp
