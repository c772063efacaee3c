#pragma once

// Selects the nodes of a fabric for a scheduler, their names, and the rails that count.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/nodes/node_rails.h"
#include "operations/placement/scheduler_tree.h"

namespace pssp {

struct ScheduledNodesOptions {
  std::string rails = {};  ///< numbers of rails, "0-3,6"; empty: all
  // Regular expressions for the whole text; empty: all.
  std::string rail_names = {};  ///< words of rails
  std::string nodes = {};       ///< names of nodes
  /// The scheduler's names of its nodes; nodes that only one side has are counted and left out.
  /// None: names of the fabric.
  std::optional<std::vector<std::string>> known = {};
};

struct ScheduledNodes {
  std::vector<ScheduledNode> nodes;  ///< in the order of NodeRails::nodes(); distinct names
  std::vector<std::string> warnings;
};

/// Warnings count, with examples, what is left out: adapters without an endpoint, nodes without a
/// name (names_no_node() and repeated ones), nodes whose name Slurm does not accept (only letters,
/// digits, "-", "_" and "."), those that `nodes` does not match, and those without any of the
/// rails. Throws Error(usage) if an expression or the numbers are invalid, and if no node is left.
ScheduledNodes scheduled_nodes(const Fabric& fabric, const NodeRails& rails,
                               const ScheduledNodesOptions& options);

}  // namespace pssp
