#pragma once

// What a fabric as it is cabled gives, beside the one that was planned.

#include <cstdint>
#include <string>

#include "fabric/fabric.h"

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
  RoutedWorth planned, real;
};

/// Routes both, which must have LIDs, and measures both by random bisections of their own hosts.
/// Throws Error(usage) where there is no such engine. Uses the threads that oneTBB may use.
CablingCosts costs_of(const Fabric& plan, const Fabric& fabric, const std::string& engine,
                      std::uint64_t patterns);

}  // namespace pssp
