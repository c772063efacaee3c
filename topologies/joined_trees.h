#pragma once

// Two-level trees in a row, as where a machine was extended by another one and both were cabled
// together afterwards.

#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

/// Tree t has leaves[t] leaves, each with a cable to every one of its spines. `hosts` (of a leaf)
/// and `spines` have one number a tree, or one for all.
struct JoinedTreesParameters {
  std::vector<unsigned> leaves, hosts, spines;
  unsigned cables = 1;  ///< between neighbouring trees, dealt out to the spines of both round-robin
};

/// Leaf ports: hosts, then spines. Spine ports: leaves, then the tree before, then the one behind.
/// Throws Error(usage).
CablingPlan make_joined_trees(const JoinedTreesParameters& parameters);

}  // namespace pssp
