#pragma once

// Infers the missing switches of the upper levels of a damaged tree.

#include <vector>

#include "fabric/fabric.h"
#include "routing/trees/inferred_links.h"

namespace pssp {

/// The links of missing switches, ascending. A missing switch gets the next SwitchId above those of
/// the fabric; its ports are numbered from 1. `fabric`: a tree whose only missing links are those
/// of missing switches. O(channels * children of a switch).
std::vector<InferredLink> infer_switches(const Fabric& fabric);

}  // namespace pssp
