#pragma once

// Compares the edge forwarding index with its lower bound (docs/explanation/bounds.md), and
// describes the cut that determines the bound by its smaller side.

#include <cstddef>
#include <vector>

#include "fabric/fabric.h"
#include "routing/bounds/index_bound.h"

namespace pssp {

/// The smaller side of a cut.
struct CutSide {
  std::vector<SwitchId> switches;  ///< ascending; empty if the cut is
  std::size_t others = 0;          ///< switches of the same island on the other side
};

/// O(channels).
CutSide smaller_side(const Fabric& fabric, const Cut& cut);

/// Largest index / bound; 1 without traffic.
double index_over_bound(double index, const IndexBound& bound);

}  // namespace pssp
