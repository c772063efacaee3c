#pragma once

// A row of two-level trees, like a machine that was extended by further trees and then cabled
// together.

#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

/// Tree t has leaves[t] leaves, and each leaf has a cable to every spine of its tree. `hosts` (per
/// leaf) and `spines` have one number per tree, or one number for all trees.
struct JoinedTreesParameters {
  std::vector<unsigned> leaves, hosts, spines;
  unsigned cables = 1;  ///< between neighboring trees, assigned to the spines of both round-robin
};

/// Leaf ports: hosts, then spines. Spine ports: leaves, then the previous tree, then the next tree.
/// Throws Error(usage).
CablingPlan make_joined_trees(const JoinedTreesParameters& parameters);

}  // namespace pssp
