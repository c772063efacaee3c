#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/builder.h"
#include "fabric/paths/hop_distances.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::vector<Lid> all_lids(const DestinationOrder& order) {
  std::vector<Lid> lids;
  for (const auto* groups : {&order.endpoints, &order.others}) {
    for (const DestinationGroup& group : *groups)
      lids.insert(lids.end(), group.lids.begin(), group.lids.end());
  }
  return lids;
}

}  // namespace

TEST_CASE("every destination order holds each LID once, in a group of the right switch",
          "[destination_order]") {
  for (const char* spec : {"chic", "mesh 4x4 --hosts 2 --lmc 3", "k-ary-n-tree 2 3"}) {
    const Fabric fabric = make_fabric(spec);
    const std::vector<SwitchId> switches = switches_by_proximity(fabric);
    CHECK(std::set<SwitchId>(switches.begin(), switches.end()).size() == fabric.switch_count());
    for (const DestinationOrder& order :
         {destinations_by_switch(fabric, switches), destinations_round_robin(fabric, switches)}) {
      INFO(spec);
      std::vector<Lid> lids = all_lids(order);
      std::sort(lids.begin(), lids.end());
      CHECK(std::equal(lids.begin(), lids.end(), fabric.lids().begin(), fabric.lids().end()));
      for (const auto* groups : {&order.endpoints, &order.others}) {
        for (const DestinationGroup& group : *groups) {
          for (const Lid lid : group.lids) CHECK(fabric.delivery(lid).at == group.at);
        }
      }
      for (const DestinationGroup& group : order.endpoints) {
        for (const Lid lid : group.lids) CHECK(fabric.is_endpoint_lid(lid));
      }
    }
  }
}

TEST_CASE("switches_by_proximity finishes a pod before it begins the next pod",
          "[destination_order]") {
  // Leaf switches of one pod of this tree are two hops apart, and those of different pods four
  // hops.
  const Fabric fabric = make_fabric("k-ary-n-tree 4 3 --shuffle-guids");
  const std::vector<SwitchId> chain = switches_by_proximity(fabric);
  HopDistances search(fabric);
  int changes = 0;
  for (std::size_t k = 1; k < 16; ++k) {
    search.search(chain[k - 1]);
    if (search.distance()[chain[k].value()] > 2) ++changes;
  }
  CHECK(changes == 3);
}

TEST_CASE("among equally near switches, the one with the most shortest paths comes next",
          "[destination_order]") {
  FabricBuilder builder;
  const NodeId first = builder.add_switch(1, 8, "first", "");
  const NodeId thin = builder.add_switch(2, 8, "thin", "");
  const NodeId thick = builder.add_switch(3, 8, "thick", "");
  const NodeId one = builder.add_switch(4, 8, "one", "");
  const NodeId other = builder.add_switch(5, 8, "other", "");
  // The paths lead over "one" and "other", which have no hosts and one link each to "first". Only
  // "thick" has links to both.
  builder.connect(first, 1, one, 1, LinkRate{});
  builder.connect(first, 2, other, 1, LinkRate{});
  builder.connect(one, 2, thin, 1, LinkRate{});
  builder.connect(one, 3, thick, 1, LinkRate{});
  builder.connect(other, 2, thick, 2, LinkRate{});
  Guid guid = 0x100;
  for (const auto& [at, port] : {std::pair(first, 3), {first, 4}, {thin, 3}, {thick, 3}}) {
    guid += 0x10;
    const NodeId host =
        builder.add_adapter(guid, 1, EndPortKind::channel_adapter, "H" + std::to_string(guid), "");
    builder.connect(at, static_cast<PortNumber>(port), host, 1, LinkRate{});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  const std::vector<SwitchId> chain = switches_by_proximity(fabric);
  REQUIRE(chain.size() >= 3);
  CHECK(fabric.switch_at(chain[0]).name == "first");
  CHECK(fabric.switch_at(chain[1]).name == "thick");
  CHECK(fabric.switch_at(chain[2]).name == "thin");
}

TEST_CASE("direct and indirect networks are distinguished", "[destination_order]") {
  CHECK(is_direct_network(make_fabric("mesh 4x4 --hosts 2")));
  CHECK(is_direct_network(make_fabric("dragonfly --switches 4 --global-links 2 --hosts 2")));
  CHECK_FALSE(is_direct_network(make_fabric("chic")));
  CHECK_FALSE(is_direct_network(make_fabric("k-ary-n-tree 2 4")));
}

TEST_CASE("destinations_round_robin takes one destination of each switch per round",
          "[destination_order]") {
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2");
  const DestinationOrder order = destinations_round_robin(fabric, switches_by_proximity(fabric));
  REQUIRE(order.endpoints.size() == 18);
  std::set<SwitchId> first_round;
  for (std::size_t k = 0; k < 9; ++k) first_round.insert(order.endpoints[k].at);
  CHECK(first_round.size() == 9);
}
