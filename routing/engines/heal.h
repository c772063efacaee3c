#pragma once

// Tables of the tree that a damaged fabric was, brought to what is left of it (engine "heal").

#include "routing/engines/engine.h"
#include "routing/engines/parts/imagined_links.h"

namespace pssp {

/// Options and derivation: see docs/engines/heal.md.
extern const EngineDescription heal_engine;

struct HealedRouting {
  ImaginedLinks imagined;
  ForwardingTables tables;
};

/// What the engine does. The fabric must have LIDs. Throws Error(unsuitable_topology) as
/// imagine_links() does, Error(usage) on wrong options, Stopped when the request asks to stop. What
/// the request accepts is not asked.
HealedRouting route_healed(const Fabric& fabric, const EngineOptions& options = {},
                           const RouteRequest& request = {});

}  // namespace pssp
