#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "routing/engines/parts/destination_order.h"
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

TEST_CASE("every order holds every LID once, behind the right switch", "[destination_order]") {
  for (const char* spec : {"chic", "mesh 4x4 --hosts 2 --lmc 3", "k-ary-n-tree 2 3"}) {
    const Fabric fabric = make_fabric(spec);
    const std::vector<SwitchId> switches = switches_by_proximity(fabric);
    CHECK(std::set<SwitchId>(switches.begin(), switches.end()).size() == fabric.switch_count());
    for (const DestinationOrder& order :
         {destinations_by_switch(fabric, switches), destinations_in_turns(fabric, switches)}) {
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

TEST_CASE("the chain of switches finishes a pod before it begins the next", "[destination_order]") {
  // Leaf switches of one pod of this tree are two hops apart, of different pods four.
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

TEST_CASE("direct and indirect networks are told apart", "[destination_order]") {
  CHECK(is_direct_network(make_fabric("mesh 4x4 --hosts 2")));
  CHECK(is_direct_network(make_fabric("dragonfly --switches 4 --global-links 2 --hosts 2")));
  CHECK_FALSE(is_direct_network(make_fabric("chic")));
  CHECK_FALSE(is_direct_network(make_fabric("k-ary-n-tree 2 4")));
}

TEST_CASE("turns take one destination of each switch", "[destination_order]") {
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2");
  const DestinationOrder order = destinations_in_turns(fabric, switches_by_proximity(fabric));
  REQUIRE(order.endpoints.size() == 18);
  std::set<SwitchId> first_round;
  for (std::size_t k = 0; k < 9; ++k) first_round.insert(order.endpoints[k].at);
  CHECK(first_round.size() == 9);
}
