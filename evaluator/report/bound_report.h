#pragma once

// Describes the lower bound on the edge forwarding index (docs/explanation/bounds.md).

#include <cstddef>
#include <string>

#include "fabric/fabric.h"
#include "routing/bounds/index_bound.h"

namespace pssp {

/// The cut that determines the bound: "by the links between 2 switches and the 14 others: A, B".
/// Names at most `names` switches.
std::string describe_bound(const Fabric& fabric, const IndexBound& bound, std::size_t names);

}  // namespace pssp
