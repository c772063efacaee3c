#pragma once

// P2-SSSP (Hoefler, Schneider, Lumsdaine: "Optimized Routing for Large-Scale InfiniBand Networks",
// slide 18).

#include "routing/engines/engine.h"

namespace pssp {

/// Engine "p2ssp". Options: see docs/reference/engines/p2ssp.md.
extern const EngineDescription p2ssp_engine;

}  // namespace pssp
