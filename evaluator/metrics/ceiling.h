#pragma once

// What no tables of a fabric can exceed in effective bisection bandwidth
// (docs/explanation/bounds.md).

#include <cstdint>
#include <optional>

#include "fabric/fabric.h"

namespace pssp {

struct CeilingOptions {
  /// Millions of channels that the search for prices may look at; about ten nanoseconds each. A
  /// count of work, so that the bound is the same on all machines. 0: no adaptive bound.
  unsigned effort = 20;
  std::uint64_t bisections = 10;
  std::uint64_t seed = 1;
  /// Forwarding depends on the destination alone, and each has one LID.
  bool one_lid = true;
};

struct Ceiling {
  /// Destinations that a switch sends over one of its channels share it: the expected bandwidth
  /// where they are divided as evenly as can be. Nothing where hosts have several LIDs in use.
  std::optional<double> one_stage;
  /// Any paths, split at will: a mean over a few bisections. Nothing without effort.
  std::optional<double> adaptive;

  /// The smaller one; nothing when there is none.
  std::optional<double> value() const {
    if (one_stage && (!adaptive || *one_stage <= *adaptive)) return one_stage;
    return adaptive;
  }
};

/// Nothing in a fabric of fewer than two hosts. Time: `effort`, and O(hosts^2) for each kind of
/// switch whose channels differ in rate. One thread.
std::optional<Ceiling> bandwidth_ceiling(const Fabric& fabric, const CeilingOptions& options);

/// The parts of it. In units of the reference rate, of fabrics with at least two hosts.
double one_stage_ceiling(const Fabric& fabric);
double adaptive_ceiling(const Fabric& fabric, const CeilingOptions& options);

}  // namespace pssp
