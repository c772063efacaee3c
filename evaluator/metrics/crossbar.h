#pragma once

// What a pattern comes to where no fabric is in its way: on a crossbar only the hosts' own links
// can be congested. The Cluster 2008 paper (section 5.1) divides it out to isolate the fabric: it
// scales the pattern of 6 neighbours by 6.

#include <cstdint>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// Means over the levels, as the bounds of a run are; 0 for a pattern in which no one sends.
struct CrossbarCongestion {
  double optimistic = 0;   ///< of the mean congestion of the flows of a level
  double pessimistic = 0;  ///< of the largest congestion of a level
};

/// On a crossbar of equal links the congestion of a flow is the number of flows that its source
/// sends or its destination gets in the level, whichever is more. `level`: only this one; -1: all.
/// Of a random pattern one drawing with `seed` is taken; of those that send and receive at most one
/// flow a rank (bisect, rand, tree, ...) every drawing is the same: 1. O(flows), O(ranks) memory.
CrossbarCongestion crossbar_congestion(const Pattern& pattern, std::uint32_t ranks,
                                       std::uint64_t seed, int level = -1);

}  // namespace pssp
