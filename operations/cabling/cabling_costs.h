#pragma once

// What a fabric as it is cabled gives, beside the one that was planned.

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Of tables that an engine makes for a fabric.
struct RoutedWorth {
  double bandwidth = 0;   ///< effective bisection bandwidth
  double slowdown = 1;    ///< S of structured traffic
  std::size_t hosts = 0;  ///< that take part in it
  std::string refused;    ///< not empty: why the engine made no tables
};

struct CablingCosts {
  std::string engine;
  std::uint64_t patterns = 0;
  RoutedWorth planned, real, repaired;
  std::optional<RoutedWorth> in_force;  ///< of the tables that were given
};

/// Fabrics with LIDs: as planned, as it is, and once all statements are repaired
/// (repaired_fabric.h).
struct CostedFabrics {
  const Fabric& planned;
  const Fabric& real;
  const Fabric& repaired;
  const ForwardingTables* in_force = nullptr;  ///< of `real`; may be null
};

/// Routes all three, and measures each by random bisections of its own hosts, and so the tables
/// that are in force. Throws Error(usage) where there is no such engine. Uses the threads that
/// oneTBB may use.
CablingCosts costs_of(const CostedFabrics& fabrics, const std::string& engine,
                      std::uint64_t patterns);

}  // namespace pssp
