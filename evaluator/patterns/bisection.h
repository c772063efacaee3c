#pragma once

// Random bisections: the pattern of effective bisection bandwidth.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/patterns/flow.h"

namespace pssp {

/// Draws random bisections (Hoefler, Schneider, Lumsdaine, "Multistage switches are not crossbars",
/// Cluster 2008, section 3; pattern `bisect` of ORCS): the end ports are split into two random
/// halves, and each port of the first half sends to a different port of the second. If the number
/// of ports is odd, a random one is left out.
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
