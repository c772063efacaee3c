#pragma once

// Contention-aware shortest paths (engine "cassp").

#include <cstdint>
#include <optional>

#include "routing/engines/engine.h"
#include "routing/engines/updown.h"

namespace pssp {

/// Options and derivation: see docs/reference/engines/cassp.md.
extern const EngineDescription cassp_engine;

/// Tables of other engines that the caller has anyway.
struct CasspStarts {
  const ForwardingTables* pssp;     ///< never null
  const ForwardingTables* meshdor;  ///< null where the fabric is no mesh or torus
};

struct ContentionAwareRouting {
  ForwardingTables tables;
  /// The order by which all routes are legal, so that one virtual lane is free of deadlocks.
  std::optional<UpDownOrder> up_down;
};

/// What engine cassp does. `starts`: null where they have to be computed. `options` are those of
/// cassp; throws Error(usage) where these are wrong, Error(unsuitable_topology) where it is told to
/// start from an engine that refuses the fabric, Stopped. The fabric must have LIDs.
ContentionAwareRouting route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                              const CasspStarts* starts = nullptr,
                                              const RouteRequest& request = {});

/// The same from up*/down* tables: all routes stay legal by their order. Options `start` and
/// `max_extra_hops` do not count.
ForwardingTables route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                        const UpDownRouting& start,
                                        const RouteRequest& request = {});

}  // namespace pssp
