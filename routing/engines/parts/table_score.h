#pragma once

// How good are tables? What engine `best` compares constructions by.

#include <cstdint>
#include <functional>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// More is better; positive unless the fabric has no traffic. Must be safe to call from several
/// threads.
using TableScore = std::function<double(const Fabric&, const ForwardingTables&)>;

enum class Objective : std::uint8_t {
  bandwidth,   ///< mean bandwidth under random bisections
  worst_host,  ///< bandwidth of the endpoint that gets least of them
  index,       ///< reciprocal of the edge forwarding index
  /// Bandwidth when all endpoints exchange with all at once: limited by the busiest channel, or by
  /// the end ports' own links where these are busier.
  all_to_all,
};

/// Scores that need no simulation: the first two are estimates (bandwidth_estimate.h), the others
/// exact. O(LIDs * switches) a call.
TableScore score_without_simulation(Objective objective);

}  // namespace pssp
