#pragma once

// The closed form of routing on trees (engine "dmodk").

#include "routing/engines/engine.h"
#include "routing/trees/dmodk_tables.h"

namespace pssp {

/// Derivation: see docs/explanation/routing-algorithms.md.
extern const EngineDescription dmodk_engine;

/// The engine's options. Throws Error(usage).
DmodkCount dmodk_count(const EngineOptions& options);

}  // namespace pssp
