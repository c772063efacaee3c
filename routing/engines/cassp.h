#pragma once

// Contention-aware shortest paths (engine "cassp").

#include "routing/engines/engine.h"
#include "routing/engines/updown.h"

namespace pssp {

/// Options and derivation: see docs/engines/cassp.md.
extern const EngineDescription cassp_engine;

/// Tables of other engines that the caller has anyway.
struct CasspStarts {
  const ForwardingTables* pssp;     ///< never null
  const ForwardingTables* meshdor;  ///< null where the fabric is no mesh or torus
};

/// What engine cassp does, without computing the tables of `starts` once more. `options` are those
/// of cassp; throws Error(usage) where these are wrong. The fabric must have LIDs.
ForwardingTables route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                        const CasspStarts& starts);

/// The same from up*/down* tables: all routes stay legal by their order, so that one virtual lane
/// is free of deadlocks. Options `start` and `max_detour` do not count.
ForwardingTables route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                        const UpDownRouting& start);

}  // namespace pssp
