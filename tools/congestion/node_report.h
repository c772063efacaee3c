#pragma once

// Lists of nodes in text, with what is said of each.

#include <span>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"

namespace pssp {

struct NodeLines {
  const CcNode* node = nullptr;
  std::vector<std::string> lines;
};

/// The nodes, indented, each followed by its lines. Nodes of which the same is said are listed
/// together, the first eight of them by name, unless `per_node`.
std::string node_list(std::span<const NodeLines> nodes, bool per_node);

}  // namespace pssp
