// Loads are computed by trees, not by routes: for one LID, the load of the channel out of a switch
// is the number of endpoints in its subtree. So each LID costs O(switches), independent of the
// number of routes.

#include "fabric/tables/channel_loads.h"

#include <algorithm>

#include "fabric/tables/destination_tree.h"
#include "fabric/tables/table_columns.h"

namespace pssp {

std::vector<std::uint64_t> channel_loads(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<std::uint64_t> loads(fabric.channel_count(), 0);
  DestinationTree tree(fabric);
  TableColumns<ForwardingTables> columns(tables);
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    tree.read(columns.column(lid), lid);
    for (const std::uint32_t s : tree.upstream_first()) {
      if (tree.out_channel()[s] != DestinationTree::no_channel)
        loads[tree.out_channel()[s]] += tree.endpoints()[s];
    }
  }
  return loads;
}

double edge_forwarding_index(const Fabric& fabric, const std::vector<std::uint64_t>& loads) {
  double index = 0;
  for (std::size_t c = 0; c < loads.size(); ++c) {
    index = std::max(index, static_cast<double>(loads[c]) * fabric.channel_cost()[c]);
  }
  return index;
}

}  // namespace pssp
