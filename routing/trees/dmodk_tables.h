#pragma once

// Closed-form routing on trees: the number of the destination determines the up path. Zahavi,
// "Fat-tree routing and node ordering providing contention free traffic for MPI global collectives"
// (JPDC 2012), section 4.

#include <cstdint>
#include <span>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/node_type_source.h"

namespace pssp {

/// The up path of the first host of a leaf.
enum class LeafStart : std::uint8_t {
  next,   ///< the path after that of the last host of the previous leaf
  first,  ///< the first path
};
/// How destinations are numbered.
struct DmodkCount {
  NodeTypeSource node_types = NodeTypeSource::by_name;
  LeafStart start = LeafStart::next;
  /// Numbers skipped after the hosts of each leaf, with LeafStart::next.
  std::uint32_t gap = 0;
};

/// `fabric`: a tree numbered by its structure (numbered_tree.h), with LIDs. `order`: determines the
/// legal paths (tree_order.h); null: all minimal paths. Destinations are counted leaf by leaf,
/// separately for each node type (node_type_source.h); on level r, a switch uses the up path
/// (number / product of the numbers of up paths below) modulo its number of paths, and the quotient
/// selects a parallel cable. `place`: position of each switch in the order of paths, if it differs
/// from the SwitchId. Uses at most `workers` threads; the tables do not depend on their number.
/// Throws Stopped. O(leaves * channels + LIDs * switches).
ForwardingTables route_dmodk(const Fabric& fabric, const UpDownOrder* order,
                             const DmodkCount& count, unsigned workers, const StopSignal& stop,
                             std::span<const std::uint32_t> place = {});

}  // namespace pssp
