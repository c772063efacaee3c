#pragma once

// Congestion of a pattern on a crossbar, where only the links of hosts are shared. The Cluster 2008
// paper (section 5.1) divides by it to isolate the effect of the fabric: it scales the pattern of 6
// neighbors by 6.

#include <cstdint>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// Means over the levels, as for the bounds of a run; 0 for a pattern without flows.
struct CrossbarCongestion {
  double optimistic = 0;   ///< of the mean congestion of the flows of a level
  double pessimistic = 0;  ///< of the largest congestion of a level
};

/// On a crossbar of equal links, the congestion of a flow is the number of flows that its source
/// sends or its destination receives in the level, whichever is more. `level`: a single level; -1:
/// all. For random patterns, one draw with `seed`; if each rank sends and receives at most one flow
/// (bisect, rand, tree, ...), every draw gives 1. O(flows), O(ranks) memory.
CrossbarCongestion crossbar_congestion(const Pattern& pattern, std::uint32_t ranks,
                                       std::uint64_t seed, int level = -1);

}  // namespace pssp
