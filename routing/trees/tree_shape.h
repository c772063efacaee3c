#pragma once

// Describes a tree in the terms of its administrators.

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "routing/trees/inferred_links.h"

namespace pssp {

/// "a tree of 2 levels: 20 leaves of 16 to 24 hosts, 16 tops; 1 host above the leaves; 3 links
/// missing"; "2 trees of 16 and 6 leaves, joined by 12 cables". `fabric`: a tree (is_tree());
/// `missing`: what infer_links() finds. O(channels).
std::string describe_tree(const Fabric& fabric, const std::vector<InferredLink>& missing);

}  // namespace pssp
