#pragma once

// Dimension-order routing on meshes and tori (engine "meshdor").

#include "routing/engines/engine.h"

namespace pssp {

extern const EngineDescription mesh_dor_engine;

}  // namespace pssp
