#pragma once

// Contention-aware shortest paths (engine "cassp").

#include <cstdint>
#include <optional>

#include "routing/engines/engine.h"
#include "routing/engines/updown.h"

namespace pssp {

/// Options and derivation: see docs/reference/engines/cassp.md.
extern const EngineDescription cassp_engine;

/// Tables of other engines that the caller has computed.
struct CasspStarts {
  const ForwardingTables* pssp;     ///< never null
  const ForwardingTables* meshdor;  ///< null if the fabric is no mesh or torus
};

struct ContentionAwareRouting {
  ForwardingTables tables;
  /// The order by which all routes are legal, so that one virtual lane is free of deadlocks.
  std::optional<UpDownOrder> up_down;
};

/// Computes the tables of engine cassp. `starts`: null if they must be computed. The fabric must
/// have LIDs. Throws Error(usage) if `options` of cassp are wrong, Error(unsuitable_topology) if
/// the option `start` names an engine that refuses the fabric, and Stopped.
ContentionAwareRouting route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                              const CasspStarts* starts = nullptr,
                                              const RouteRequest& request = {});

/// The same from up*/down* tables: all routes stay legal by their order. Ignores the options
/// `start` and `max_extra_hops`.
ForwardingTables route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                        const UpDownRouting& start,
                                        const RouteRequest& request = {});

}  // namespace pssp
