#pragma once

// The closed form of routing on trees (engine "dmodk").

#include "routing/engines/engine.h"

namespace pssp {

/// Derivation: see docs/engines/dmodk.md.
extern const EngineDescription dmodk_engine;

}  // namespace pssp
