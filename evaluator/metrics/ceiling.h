#pragma once

// Upper bounds of the effective bisection bandwidth of all tables of a fabric
// (docs/explanation/bounds.md).

#include <cstdint>
#include <optional>

#include "fabric/fabric.h"

namespace pssp {

struct CeilingOptions {
  /// Limit of the search for prices in millions of examined channels, about ten nanoseconds each. A
  /// limit of work, so that the bound is the same on all machines. 0: no adaptive bound.
  unsigned effort = 20;
  std::uint64_t bisections = 10;
  std::uint64_t seed = 1;
  /// Forwarding depends only on the destination, and each has one LID.
  bool one_lid = true;
};

struct Ceiling {
  /// Expected bandwidth if the destinations of each switch are divided over its channels as evenly
  /// as possible. None if hosts use several LIDs.
  std::optional<double> one_stage;
  /// Bound for arbitrary paths and splitting: a mean over a few bisections. None without effort.
  std::optional<double> adaptive;

  /// The smaller bound; none if there is none.
  std::optional<double> value() const {
    if (one_stage && (!adaptive || *one_stage <= *adaptive)) return one_stage;
    return adaptive;
  }
};

/// None for fabrics with fewer than two hosts. Time: `effort`, and O(hosts^2) for each kind of
/// switch whose channels differ in rate. One thread.
std::optional<Ceiling> bandwidth_ceiling(const Fabric& fabric, const CeilingOptions& options);

/// The separate bounds, in units of the reference rate, for fabrics with at least two hosts.
double one_stage_ceiling(const Fabric& fabric);
double adaptive_ceiling(const Fabric& fabric, const CeilingOptions& options);

}  // namespace pssp
