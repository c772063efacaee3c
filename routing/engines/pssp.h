#pragma once

// P-SSSP (Hoefler, Schneider, Lumsdaine: "Optimized Routing for Large-Scale InfiniBand Networks",
// slides 14-17).

#include "routing/engines/engine.h"

namespace pssp {

/// Engine "pssp". Options: see docs/reference/engines/pssp.md.
extern const EngineDescription pssp_engine;

}  // namespace pssp
