#pragma once

// Lists of nodes with remarks, as text.

#include <span>
#include <string>
#include <vector>

#include "tools/congestion/cc_nodes.h"

namespace pssp {

struct NodeLines {
  const CcNode* node = nullptr;
  std::vector<std::string> lines;
};

/// The nodes, indented, each followed by its lines. Nodes with the same lines are listed together,
/// the first eight by name, unless `per_node`.
std::string node_list(std::span<const NodeLines> nodes, bool per_node);

}  // namespace pssp
