// Files with port groups for adaptive routing in the sample fabric. In each accepted file, every
// packet must arrive, whichever ports of the groups it uses.

#include "base/no_index.h"
#include "routing/engines/engine.h"
#include "simulator/adaptive/groups_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

const ForwardingTables& sample_tables() {
  static const Routing routing = make_engine("pssp", {})->route(sample_fabric());
  return routing.tables;
}

/// Follows packets for `lid` from a switch through the first port of every group, or through the
/// last one if `last`.
void require_arrival_of(const AdaptiveGroups& groups, std::uint32_t node, Lid lid, bool last) {
  const Fabric& fabric = groups.fabric();
  for (std::size_t hops = 0; SwitchId(node) != fabric.delivery(lid).at; ++hops) {
    require(hops < fabric.switch_count(), "a packet runs in a loop");
    const auto group = groups.channels(node, lid);
    const std::uint32_t of_tables = groups.channel_of_tables(node, lid);
    require(of_tables != no_index, "a packet reaches a switch without a route");
    node = fabric.channel_head()[group.empty() ? of_tables : last ? group.back() : group.front()];
  }
}

}  // namespace

void fuzz_groups(std::string_view input) {
  const Fabric& fabric = sample_fabric();
  const GroupsFile file = parse_groups(input, "input", fabric);
  const AdaptiveGroups groups = groups_of_file(file, fabric, sample_tables());
  credit_loop(groups);
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    for (std::uint32_t node = 0; node < fabric.switch_count(); ++node) {
      require_arrival_of(groups, node, lid, false);
      require_arrival_of(groups, node, lid, true);
    }
  }
}

}  // namespace pssp::test
