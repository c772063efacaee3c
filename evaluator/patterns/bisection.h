#pragma once

// Random bisections: the pattern that effective bisection bandwidth is defined by.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/patterns/flow.h"

namespace pssp {

/// Draws random bisections (Hoefler, Schneider, Lumsdaine, "Multistage switches are not crossbars",
/// Cluster 2008, section 3; pattern `bisect` of ORCS): the end ports are split in two random halves
/// and every one of the first sends to one of the second. One end port, chosen at random, is left
/// out where their number is odd.
class BisectionPattern {
 public:
  explicit BisectionPattern(std::uint32_t endpoints);

  /// Bisection number `index` of `seed`, uniform among all bisections. Every end port is in at most
  /// one flow. The flows are valid until the next call. O(endpoints).
  std::span<const Flow> draw(std::uint64_t seed, std::uint64_t index);

 private:
  std::uint32_t endpoints_;
  std::vector<std::uint32_t> unpaired_;
  std::vector<Flow> flows_;
};

}  // namespace pssp
