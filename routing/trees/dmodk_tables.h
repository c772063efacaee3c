#pragma once

// The closed form of routing on trees: which way up follows from the destination's number alone.
// Zahavi, "Fat-tree routing and node ordering providing contention free traffic for MPI global
// collectives" (JPDC 2012), section 4.

#include <cstdint>
#include <span>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/node_type_source.h"

namespace pssp {

/// Which way a leaf's first host is given.
enum class LeafStart : std::uint8_t {
  next,   ///< the one after the last host's of the leaf before
  first,  ///< the first
};
/// How destinations get their numbers.
struct DmodkCount {
  NodeTypeSource node_types = NodeTypeSource::by_name;
  LeafStart start = LeafStart::next;
  /// Numbers that are left out behind the hosts of each leaf, where the next leaf goes on.
  std::uint32_t gap = 0;
};

/// `fabric`: a tree numbered by its structure (numbered_tree.h), with LIDs. `order`: by which paths
/// are legal (tree_order.h); null: all minimal paths are. Destinations are counted leaf by
/// leaf, each node type of host apart (node_type_source.h); on level r a switch takes the way up
/// that is (number / product of the numbers of paths up below) modulo its paths, and parallel
/// cables by what is left. `place`: of each switch in the order that paths are counted by, where
/// that is not SwitchId's. At most `workers` threads; the same tables for any number. Throws
/// Stopped. O(leaves
/// * channels + LIDs * switches).
ForwardingTables route_dmodk(const Fabric& fabric, const UpDownOrder* order,
                             const DmodkCount& count, unsigned workers, const StopSignal& stop,
                             std::span<const std::uint32_t> place = {});

}  // namespace pssp
