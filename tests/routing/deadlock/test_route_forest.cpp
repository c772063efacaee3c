#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "routing/deadlock/route_forest.h"
#include "routing/engines/engine.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Channels of a node's route, derived from the node and its parents alone. Empty for a route of
/// one channel: such a route has no dependency that would identify its channel.
test::Route route_of(const RouteForest& forest, std::uint32_t node) {
  test::Route route;
  if (forest.dependency()[node] == RouteForest::none) return route;
  route.push_back(forest.first_channel()[forest.dependency()[node]]);
  for (std::uint32_t n = node; forest.dependency()[n] != RouteForest::none; n = forest.parent()[n])
    route.push_back(forest.second_channel()[forest.dependency()[n]]);
  return route;
}

void check_forest(const Fabric& fabric, const ForwardingTables& tables, bool switch_ports) {
  const RouteForest forest(fabric, tables, switch_ports);
  std::map<std::pair<std::uint32_t, Lid>, test::Route> expected;
  std::set<std::pair<std::uint32_t, std::uint32_t>> dependencies;
  std::uint64_t pairs = 0;
  test::for_each_route(fabric, tables, switch_ports,
                       [&](SwitchId s, Lid lid, const test::Route& route) {
                         expected[{s.value(), lid}] = route;
                         for (std::size_t i = 1; i < route.size(); ++i)
                           dependencies.emplace(route[i - 1], route[i]);
                         if (fabric.is_endpoint_lid(lid) && !route.empty())
                           pairs += fabric.endpoints_per_switch()[s.value()];
                       });
  const std::vector<std::uint32_t> sources = forest.sources(fabric);
  for (std::uint32_t node = 0; node < forest.node_count(); ++node) {
    if (forest.parent()[node] == RouteForest::none) continue;
    const std::uint32_t dependency = forest.dependency()[node];
    CHECK(fabric.channel_tail()[forest.first_channel()[dependency]] == sources[node]);
    CHECK(fabric.channel_tail()[forest.second_channel()[dependency]] ==
          sources[forest.parent()[node]]);
  }
  std::map<std::uint32_t, test::Route> route_of_node;
  forest.for_each_route([&](SwitchId s, Lid lid, std::uint32_t node) {
    const auto found = expected.find({s.value(), lid});
    REQUIRE(found != expected.end());
    if (node == RouteForest::none) {
      CHECK(found->second.empty());
    } else {
      CHECK(sources[node] == s.value());
      CHECK(forest.is_used()[node] == 1);
      CHECK(route_of(forest, node) == (found->second.size() < 2 ? test::Route() : found->second));
      const std::uint32_t at = fabric.delivery(lid).at.value();
      CHECK(node >= forest.first_node()[at]);
      CHECK(node < forest.first_node()[at + 1]);
      route_of_node[node] = found->second;
    }
    expected.erase(found);
  });
  CHECK(expected.empty());
  // Each distinct route appears once.
  std::set<test::Route> distinct;
  for (const auto& [node, route] : route_of_node) CHECK(distinct.insert(route).second);
  // All dependencies appear, in ascending order.
  REQUIRE(forest.dependency_count() == dependencies.size());
  std::size_t d = 0;
  for (const auto& [first, second] : dependencies) {
    CHECK(forest.first_channel()[d] == first);
    CHECK(forest.second_channel()[d++] == second);
  }
  std::uint64_t counted = 0;
  for (const std::uint32_t each : forest.pairs()) counted += each;
  CHECK(counted == pairs);
  for (std::uint32_t n = 0; n < forest.node_count(); ++n) {
    if (forest.parent()[n] != RouteForest::none) CHECK(forest.parent()[n] < n);
  }
}

}  // namespace

TEST_CASE("RouteForest holds each distinct route once") {
  for (const char* spec :
       {"torus 4x3 --hosts 2", "k-ary-n-tree 3 3", "mesh 3x3 --parallel 2 --lmc 2", "director 48",
        "random-regular 12 --degree 3 --kill-links 6 --kill-switches 2 --allow-islands --lids",
        "full-mesh 1 --hosts 3"}) {
    for (const bool switch_ports : {false, true}) {
      INFO(spec);
      const Fabric fabric = make_fabric(spec);
      check_forest(fabric, make_engine("pssp", {})->route(fabric).tables, switch_ports);
      check_forest(fabric, test::random_tree_tables(fabric, 3), switch_ports);
      check_forest(fabric, test::noise_tables(fabric, 4), switch_ports);
      check_forest(fabric, ForwardingTables(fabric.switch_count(), 2), switch_ports);
    }
  }
}
