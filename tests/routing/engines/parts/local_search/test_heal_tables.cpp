#include <catch2/catch.hpp>

#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/destination_tree.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/local_search/heal_tables.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

double shifts(const Fabric& fabric, const ForwardingTables& tables) {
  const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name));
  return structured_suite.measure(tables).find("shifts")->time;
}

}  // namespace

TEST_CASE(
    "with spreads_shifts_evenly, heal_tables changes valid entries only at damaged switches") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 3 --kill-links 20");
  const Fabric whole = make_fabric("k-ary-n-tree 4 3");
  const ForwardingTables complete = make_engine("pssp", {})->route(whole).tables;
  const UpDownOrder order = usable_order(fabric, preferred_switches(whole));
  const ForwardingTables plain = heal_tables(fabric, whole, complete, {.order = &order});
  const ForwardingTables heal_start =
      heal_tables(fabric, whole, complete, {.order = &order, .spreads_shifts_evenly = true});
  CHECK(verify(fabric, heal_start).usable());
  CHECK(shifts(fabric, heal_start) < shifts(fabric, plain));

  DestinationTree tree(whole);
  UpDownDistances legal(fabric, order);
  bool kept = true;
  bool has_made_room = false;
  for (const Lid lid : fabric.lids()) {
    legal.search(fabric.delivery(lid).at);
    tree.read(complete, lid);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const PortNumber port = complete.at(SwitchId(s), lid);
      const PortTarget target = fabric.behind(SwitchId(s), port);
      const bool is_valid =
          target.kind != PortTarget::Kind::channel || legal.is_next_hop(s, target.index);
      if (heal_start.at(SwitchId(s), lid) == port || !is_valid || tree.endpoints()[s] == 0)
        continue;
      const bool has_hole = fabric.first_channel()[s + 1] - fabric.first_channel()[s] !=
                            whole.first_channel()[s + 1] - whole.first_channel()[s];
      kept &= has_hole;
      has_made_room |= has_hole;
    }
  }
  CHECK(kept);
  CHECK(has_made_room);
}

TEST_CASE("with spreads_shifts_evenly, heal_tables changes nothing if no link is missing") {
  const Fabric whole = make_fabric("k-ary-n-tree 3 3");
  const ForwardingTables complete = make_engine("pssp", {})->route(whole).tables;
  const UpDownOrder order = *order_of_complete_tree(whole);
  const HealSettings how{.order = &order, .spreads_shifts_evenly = true};
  CHECK(heal_tables(whole, whole, complete, how) == complete);
}
