#pragma once

// Which switches of the upper levels a damaged tree has lost, judged by those that it still has.

#include <vector>

#include "fabric/fabric.h"
#include "routing/trees/inferred_links.h"

namespace pssp {

/// The links of the switches that the tree lacks, ascending. Such a switch has the next SwitchId
/// above those of the fabric; its ports are numbered from 1, as many as links. `fabric`: a tree
/// without missing links but those of missing switches. O(channels * children of a switch).
std::vector<InferredLink> infer_switches(const Fabric& fabric);

}  // namespace pssp
