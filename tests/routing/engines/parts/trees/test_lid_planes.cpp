#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "fabric/lid_counts.h"
#include "fabric/paths/allowed_channels.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/local_search/structured_local_search.h"
#include "routing/engines/parts/trees/lid_planes.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

using MakePlanes = ForwardingTables (*)(const Fabric&, ForwardingTables, const PlanePaths&,
                                        const StopSignal&);

ForwardingTables balanced(const Fabric& fabric) {
  return make_engine("pssp", {})->route(fabric).tables;
}

/// True if only entries for additional LIDs of endpoints differ.
bool same_but_for_planes(const Fabric& fabric, const ForwardingTables& a,
                         const ForwardingTables& b) {
  for (const Lid lid : fabric.lids()) {
    const LidOwner owner = fabric.owner(lid);
    const bool is_plane =
        fabric.is_endpoint_lid(lid) && fabric.end_port(EndPortId(owner.index)).lid != lid;
    for (std::uint32_t s = 0; s < fabric.switch_count() && !is_plane; ++s) {
      if (a.at(SwitchId(s), lid) != b.at(SwitchId(s), lid)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("planes give additional LIDs usable entries and change no other entry", "[planes]") {
  for (const char* spec : {"k-ary-n-tree 3 3 --kill-links 4 --lmc 1", "torus 3x4 --hosts 2 --lmc 2",
                           "mesh 1 --lmc 1", "random-regular 10 --degree 4 --hosts 2 --lmc 1",
                           "k-ary-n-tree 3 2 --kill-switches 2 --allow-islands --lmc 2"}) {
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables before = balanced(fabric);
    const std::optional<UpDownOrder> order = tree_order(fabric);
    for (const MakePlanes make : {&with_diverse_planes, &with_turned_planes}) {
      for (const UpDownOrder* legal :
           {static_cast<const UpDownOrder*>(nullptr), order ? &*order : nullptr}) {
        INFO(spec);
        const ForwardingTables after = make(fabric, before, {.up_down = legal}, {});
        CHECK(verify(fabric, after).usable());
        CHECK(same_but_for_planes(fabric, before, after));
        // Routes that are all legal by one order have no credit loop.
        if (legal != nullptr && AllowedChannels(fabric, *legal).allow(fabric, before)) {
          CHECK(verify_lanes(fabric, after, level_zero(after)).is_deadlock_free());
        }
      }
    }
  }
}

TEST_CASE("planes change nothing if each host has one LID", "[planes]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 3 2");
  CHECK(most_lids_of_a_host(fabric) == 1);
  CHECK(with_diverse_planes(fabric, balanced(fabric), {}) == balanced(fabric));
  CHECK(with_turned_planes(fabric, balanced(fabric), {}) == balanced(fabric));
}

TEST_CASE("the LIDs of a host use different ports of a leaf if it has enough uplinks", "[planes]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2 --lmc 2");
  REQUIRE(most_lids_of_a_host(fabric) == 4);
  for (const MakePlanes make : {&with_diverse_planes, &with_turned_planes}) {
    const ForwardingTables tables = make(fabric, balanced(fabric), {}, {});
    HopDistances distances(fabric);
    for (const EndPortId e : fabric.endpoints()) {
      const EndPort& port = fabric.end_port(e);
      distances.search(port.attached);
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        // Leaves have four uplinks; the switches above them have one path down.
        if (fabric.endpoints_per_switch()[s] == 0 || SwitchId(s) == port.attached) continue;
        std::set<PortNumber> used;
        for (Lid k = 0; k < 4; ++k) used.insert(tables.at(SwitchId(s), port.lid + k));
        CHECK(used.size() == 4);
      }
    }
  }
}

// From the first leaf to hosts of another subtree there are as many different paths as LIDs, or all
// paths, whatever the fan-outs of the two levels are.
TEST_CASE("turned planes separate above the leaves if the leaves have too few uplinks",
          "[planes]") {
  struct Tree {
    const char* spec;
    std::size_t paths;  // uplinks of a leaf times uplinks of a switch above it
    Lid lids;
  };
  for (const auto& [spec, paths, lids] :
       {Tree{"xgft 4,4,4 1,2,2 --lmc 2", 4, 4}, Tree{"xgft 4,4,2 1,2,2 --lmc 3", 4, 8},
        Tree{"xgft 4,4,2 1,4,2 --lmc 3", 8, 8}, Tree{"xgft 4,4,2 1,2,4 --lmc 3", 8, 8},
        Tree{"xgft 4,4,2 1,4,5 --lmc 4", 20, 16}, Tree{"xgft 4,4,2 1,2,3 --lmc 3", 6, 8},
        Tree{"xgft 2,2,2,2 1,3,2,3 --lmc 4", 18, 16}}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = with_turned_planes(fabric, balanced(fabric), {});
    const SwitchId first = fabric.end_port(fabric.endpoints().front()).attached;
    const std::size_t hosts = fabric.endpoints().size();
    for (std::size_t i = hosts / 2; i < hosts; ++i) {  // the other half of the tree
      const EndPort& to = fabric.end_port(fabric.endpoints()[i]);
      std::set<std::vector<std::uint32_t>> taken;
      for (Lid k = 0; k < lids; ++k) {
        const auto path = test::walk(fabric, tables, first, to.lid + k);
        REQUIRE(path.has_value());
        taken.insert(*path);
      }
      CHECK(taken.size() == std::min<std::size_t>(paths, lids));
    }
  }
}
