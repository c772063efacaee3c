#pragma once

// Contention-aware shortest paths (engine "cassp").

#include "routing/engines/engine.h"

namespace pssp {

/// Options and derivation: see docs/engines/cassp.md.
extern const EngineDescription cassp_engine;

}  // namespace pssp
