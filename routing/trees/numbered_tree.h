#pragma once

// A tree numbered by its structure, so that the order of an engine's decisions and its ties do not
// depend on GUIDs and port numbers.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/trees/inferred_links.h"

namespace pssp {

struct NumberedTree {
  Fabric fabric;
  /// By SwitchId of `fabric`: the SwitchId in the original fabric.
  std::vector<SwitchId> original;
  /// The missing links (infer_links()), with original SwitchIds.
  std::vector<InferredLink> missing;
};

/// The same nodes, ports, LIDs and cables; switches and end ports are numbered in the order of
/// tree_coordinates() of the complete tree (inferred_links.h), channels of a switch by their heads
/// (BuilderOptions::numbering). Throws Error(unsuitable_topology) if the fabric is not a tree.
/// O(channels * children of a switch + nodes log nodes).
NumberedTree number_by_structure(const Fabric& fabric);

/// Converts the rows to the order of the original fabric. O(entries).
ForwardingTables with_original_numbers(const NumberedTree& tree, const ForwardingTables& tables);
/// Ascending. O(links log links).
std::vector<InferredLink> with_original_numbers(const NumberedTree& tree,
                                                std::vector<InferredLink> links);

/// How parallel channels between two switches are numbered.
enum class ParallelCables : std::uint8_t {
  by_port,        ///< present channels keep their number if the missing port is known
  inferred_last,  ///< for a fabric numbered by its structure: ignores ports
};

/// Adds links to a fabric: switches, end ports and LIDs keep their numbers, inferred switches
/// follow them, and channels are renumbered. A link has the rate of its first switch towards the
/// level of its second.
Fabric with_links(const Fabric& fabric, const std::vector<InferredLink>& links,
                  ParallelCables parallel = ParallelCables::by_port);

}  // namespace pssp
