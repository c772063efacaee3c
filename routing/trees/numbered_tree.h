#pragma once

// A tree as engines look at it: numbered by its structure. What an engine does first, and what it
// does where all else is equal, then hangs on the structure, not on GUIDs and port numbers.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/trees/inferred_links.h"

namespace pssp {

struct NumberedTree {
  Fabric fabric;
  /// By SwitchId of this fabric, the one of the other.
  std::vector<SwitchId> original;
  /// What the tree lacks (infer_links()), by SwitchIds of the other fabric.
  std::vector<InferredLink> missing;
};

/// The same nodes, ports, LIDs and cables; switches and end ports are numbered in the order of
/// tree_coordinates() of the tree without holes (imagined_links.h), channels of a switch by where
/// they lead (BuilderOptions::numbering). Throws Error(unsuitable_topology) where the fabric is no
/// tree. O(channels * children of a switch + nodes log nodes).
NumberedTree number_by_structure(const Fabric& fabric);

/// Rows in the order of the original fabric. O(entries).
ForwardingTables with_original_numbers(const NumberedTree& tree, const ForwardingTables& tables);
/// Ascending. O(links log links).
std::vector<InferredLink> with_original_numbers(const NumberedTree& tree,
                                                std::vector<InferredLink> links);

/// In which order channels of one pair of switches are numbered.
enum class ParallelCables : std::uint8_t {
  by_port,        ///< what is there keeps its number where the port that is missing is known
  inferred_last,  ///< of a fabric numbered by its structure: ports have no say
};

/// The fabric with these links besides its own: the same switches, end ports and LIDs in the same
/// numbering, behind them the switches that are inferred; channels are numbered again. A link has
/// the rate that its first switch has towards the level of its second.
Fabric with_links(const Fabric& fabric, const std::vector<InferredLink>& links,
                  ParallelCables parallel = ParallelCables::by_port);

}  // namespace pssp
