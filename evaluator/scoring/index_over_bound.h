#pragma once

// The edge forwarding index beside its lower bound (docs/explanation/bounds.md), and the cut that
// decides the bound from the side that is quicker told.

#include <cstddef>
#include <vector>

#include "fabric/fabric.h"
#include "routing/bounds/index_bound.h"

namespace pssp {

/// The smaller side of a cut, for people.
struct CutSide {
  std::vector<SwitchId> switches;  ///< ascending; empty where the cut is
  std::size_t others = 0;          ///< switches of the same island on the other side
};

/// O(channels).
CutSide smaller_side(const Fabric& fabric, const Cut& cut);

/// Largest index / bound; 1 where there is nothing to carry.
double index_over_bound(double index, const IndexBound& bound);

}  // namespace pssp
