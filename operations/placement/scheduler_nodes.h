#pragma once

// Which nodes of a fabric a scheduler is told of, by which names, and which of their rails count.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/nodes/node_rails.h"
#include "operations/placement/scheduler_tree.h"

namespace pssp {

struct ScheduledNodesOptions {
  std::string rails = {};  ///< numbers of rails, "0-3,6"; empty: all
  // Regular expressions that the whole text matches; empty: all.
  std::string rail_names = {};  ///< words of rails
  std::string nodes = {};       ///< names of nodes
  /// The scheduler's names of its nodes; those without a node of the fabric, and nodes that are not
  /// among them, are counted and left out. Nothing: names of the fabric.
  std::optional<std::vector<std::string>> known = {};
};

struct ScheduledNodes {
  std::vector<ScheduledNode> nodes;  ///< in the order of NodeRails::nodes(); names are different
  std::vector<std::string> warnings;
};

/// Left out, with a count and examples in the warnings, are adapters without an endpoint, nodes
/// without a name (names_no_node() and repeated ones), nodes whose name Slurm cannot hold (letters,
/// digits, "-", "_" and "." alone), those that `nodes` does not match, and those without any of the
/// rails. Throws Error(usage) where an expression or the numbers are none, and where no node is
/// left.
ScheduledNodes scheduled_nodes(const Fabric& fabric, const NodeRails& rails,
                               const ScheduledNodesOptions& options);

}  // namespace pssp
