#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/route_walk.h"
#include "tests/routing/engines/unlike_links.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* specs[] = {"k-ary-n-tree 4 2",
                                 "k-ary-n-tree 2 4",
                                 "xgft 4,4 1,2",
                                 "mesh 4x4 --hosts 2",
                                 "torus 3x4x3",
                                 "torus 4x4 --hosts 2 --lmc 2",
                                 "torus 3x3 --parallel 2 --hosts 2",
                                 "hypercube 4 --hosts 2",
                                 "random-regular 16 --degree 4 --hosts 3",
                                 "dragonfly --switches 3 --global-links 1 --hosts 1",
                                 "mesh 5x5 --hosts 2 --kill-links 6",
                                 "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
                                 "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands"};

ForwardingTables route(const Fabric& fabric, std::string_view options = "") {
  return make_engine("pssp", EngineOptions::parse(options))->route(fabric).tables;
}

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;

std::vector<int> hops_to(const Fabric& fabric, SwitchId root) {
  Graph graph(fabric.switch_count());
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    boost::add_edge(fabric.channel_head()[c], fabric.channel_tail()[c], graph);
  }
  std::vector<int> hops(fabric.switch_count(), -1);
  hops[root.value()] = 0;
  boost::breadth_first_search(graph, root.value(),
                              boost::visitor(boost::make_bfs_visitor(
                                  boost::record_distances(hops.data(), boost::on_tree_edge()))));
  return hops;
}

/// Largest excess of a route over the minimal hop count, for all switches and LIDs. Excludes routes
/// between switches without hosts, which carry no traffic.
int largest_extra_hops(const Fabric& fabric, const ForwardingTables& tables) {
  int extra_hops = 0;
  for (const Lid lid : fabric.lids()) {
    const std::vector<int> hops = hops_to(fabric, fabric.delivery(lid).at);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const bool sends = fabric.is_endpoint_lid(lid) || fabric.endpoints_per_switch()[s] != 0;
      if (hops[s] < 0 || !sends) continue;
      const auto path = test::walk(fabric, tables, SwitchId(s), lid);
      REQUIRE(path.has_value());
      extra_hops = std::max(extra_hops, static_cast<int>(path->size()) - hops[s]);
    }
  }
  return extra_hops;
}

}  // namespace

TEST_CASE("pssp connects all reachable pairs by minimal paths", "[pssp]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = route(fabric);
    CHECK(verify(fabric, tables).usable());
    CHECK(largest_extra_hops(fabric, tables) == 0);
  }
}

TEST_CASE("pssp respects the bound on extra hops", "[pssp]") {
  for (const char* spec : specs) {
    for (const int bound : {1, 3}) {
      INFO(spec << ", bound " << bound);
      const Fabric fabric = make_fabric(spec);
      const ForwardingTables tables = route(fabric, "max_extra_hops=" + std::to_string(bound));
      CHECK(verify(fabric, tables).usable());
      CHECK(largest_extra_hops(fabric, tables) <= bound);
    }
  }
}

TEST_CASE("pssp uses extra hops if they help", "[pssp]") {
  // Four hosts are on each side of one link; a third switch offers a path that is one hop longer.
  FabricBuilder builder;
  const NodeId left = builder.add_switch(1, 8, "left", "");
  const NodeId right = builder.add_switch(2, 8, "right", "");
  const NodeId around = builder.add_switch(3, 8, "around", "");
  builder.connect(left, 1, right, 1, {});
  builder.connect(left, 2, around, 1, {});
  builder.connect(right, 2, around, 2, {});
  for (unsigned h = 0; h < 8; ++h) {
    const NodeId host = builder.add_adapter(0x100 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(h < 4 ? left : right, static_cast<PortNumber>(3 + h % 4), host, 1, {});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  CHECK(edge_forwarding_index(fabric, channel_loads(fabric, route(fabric))) == 16);
  // A non-minimal path loads two channels, so it is used when the direct link has twice the load:
  // two destinations of three use the direct link.
  const ForwardingTables free = route(fabric, "max_extra_hops=1");
  CHECK(largest_extra_hops(fabric, free) == 1);
  CHECK(edge_forwarding_index(fabric, channel_loads(fabric, free)) == 12);
}

// P-SSSP by its definition: for each destination in turn, runs Boost's Dijkstra on (hops, load) and
// then adds the loads of the routes.
TEST_CASE("each tree of pssp has the lowest cost for the loads of the earlier trees", "[pssp]") {
  for (const char* spec :
       {"mesh 4x4 --hosts 2", "k-ary-n-tree 2 3", "torus 3x3 --parallel 2 --hosts 2",
        "random-regular 16 --degree 4 --hosts 3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = route(fabric, "order=by_switch");
    std::vector<double> load(fabric.channel_count(), 0);
    const DestinationOrder order = destinations_by_switch(fabric, switches_by_proximity(fabric));
    for (const DestinationGroup& group : order.endpoints) {
      for (const Lid lid : group.lids) {
        Graph graph(fabric.switch_count());
        constexpr double hop = 1e9;  // more than all loads together
        for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
          boost::add_edge(fabric.channel_head()[c], fabric.channel_tail()[c], hop + load[c], graph);
        }
        std::vector<double> cost(fabric.switch_count());
        boost::dijkstra_shortest_paths(graph, group.at.value(), boost::distance_map(cost.data()));
        std::vector<double> added(fabric.channel_count(), 0);
        for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
          const auto path = test::walk(fabric, tables, SwitchId(s), lid);
          REQUIRE(path.has_value());
          double taken = 0;
          for (const std::uint32_t c : *path) {
            taken += hop + load[c];
            added[c] += fabric.endpoints_per_switch()[s];
          }
          REQUIRE(taken == Approx(cost[s]).margin(1e-3));
        }
        for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) load[c] += added[c];
      }
    }
  }
}

TEST_CASE("additional LIDs do not change pssp's routes to base LIDs", "[pssp]") {
  const Fabric one = make_fabric("mesh 4x4 --hosts 2");
  const Fabric four = make_fabric("mesh 4x4 --hosts 2 --lmc 2");
  const ForwardingTables single = route(one, "order=by_switch");
  const ForwardingTables multiple = route(four, "order=by_switch");
  for (const EndPort& port : one.end_ports()) {
    const EndPort& same = four.end_port(*four.find_end_port(port.port_guid));
    for (std::uint32_t s = 0; s < one.switch_count(); ++s) {
      CHECK(single.at(SwitchId(s), port.lid) == multiple.at(SwitchId(s), same.lid));
    }
  }
}

TEST_CASE("pssp uses different paths for the LIDs of one port", "[pssp]") {
  // In this tree, four paths lead to a port from each other leaf, and the port has four LIDs.
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2 --lmc 2");
  const ForwardingTables tables = route(fabric);
  for (const EndPort& target : fabric.end_ports()) {
    for (const EndPort& source : fabric.end_ports()) {
      if (source.attached == target.attached) continue;
      std::set<PortNumber> paths;
      for (Lid k = 0; k < 4; ++k)
        paths.insert(tables.at(source.attached, static_cast<Lid>(target.lid + k)));
      CHECK(paths.size() == 4);
    }
  }
}

TEST_CASE("pssp sends half as many routes over a link of half the capacity", "[pssp]") {
  const Fabric fabric = test::two_unlike_links();
  const std::vector<std::uint64_t> loads = channel_loads(fabric, route(fabric));
  CHECK(loads[0] == 2 * loads[1]);
  CHECK(loads[0] + loads[1] == 900);
}

TEST_CASE("pssp reaches the EFI bound on a balanced fat tree whatever the GUIDs are", "[pssp]") {
  for (const char* spec :
       {"chic", "chic --shuffle-guids --seed 1", "chic --shuffle-guids --seed 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    // The 12 hosts of each leaf send to the 516 hosts of other leaves over 12 uplinks.
    CHECK(edge_forwarding_index(fabric, channel_loads(fabric, route(fabric))) == 516);
  }
}

TEST_CASE("pssp also routes fabrics without traffic", "[pssp]") {
  const Fabric one_switch = make_fabric("mesh 1 --hosts 3");
  CHECK(verify(one_switch, route(one_switch)).usable());
  FabricBuilder builder;
  builder.add_switch(1, 4, "alone", "");
  builder.assign_lids();
  const Fabric alone = std::move(builder).build();
  CHECK(route(alone).at(SwitchId(0), 1) == management_port);
  const Fabric empty = FabricBuilder().build();
  CHECK_THROWS_AS(route(empty), Error);
}
