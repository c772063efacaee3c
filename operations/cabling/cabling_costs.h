#pragma once

// Compares the performance of the current cabling with that of the plan.

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The performance of an engine's tables for a fabric.
struct RoutedWorth {
  double bandwidth = 0;   ///< effective bisection bandwidth
  double slowdown = 1;    ///< S of structured traffic
  std::size_t hosts = 0;  ///< number of hosts in the traffic
  std::string refused;    ///< nonempty: why the engine made no tables
};

struct CablingCosts {
  std::string engine;
  std::uint64_t patterns = 0;
  RoutedWorth planned, real, repaired;
  std::optional<RoutedWorth> in_force;  ///< of the given tables
};

/// Fabrics with LIDs: as planned, as it is, and after all repairs (repaired_fabric.h).
struct CostedFabrics {
  const Fabric& planned;
  const Fabric& real;
  const Fabric& repaired;
  const ForwardingTables* in_force = nullptr;  ///< of `real`; may be null
};

/// Routes all three, and evaluates each, and the current tables, with random bisections of its own
/// hosts. Throws Error(usage) for an unknown engine. Uses the threads of oneTBB.
CablingCosts costs_of(const CostedFabrics& fabrics, const std::string& engine,
                      std::uint64_t patterns);

}  // namespace pssp
