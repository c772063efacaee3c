#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "evaluator/flows/congestion.h"
#include "evaluator/patterns/bisection.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;
using namespace pssp::test;

std::vector<double> congestion(const RoutedFabric& routed, const std::vector<Flow>& flows) {
  const RouteStore routes(routed.fabric, routed.tables);
  CongestionCounter counter(routes);
  const auto result = counter.largest_congestion(flows);
  return {result.begin(), result.end()};
}

/// Converts pairs of host numbers in the figure of the paper to flows.
std::vector<Flow> flows_of(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> pairs) {
  std::vector<Flow> flows;
  for (const auto& [from, to] : pairs) flows.push_back({figure_1_rank(from), figure_1_rank(to)});
  return flows;
}

void compare_bisections(const Fabric& fabric, const ForwardingTables& tables,
                        std::uint64_t patterns) {
  const RouteStore routes(fabric, tables);
  CongestionCounter counter(routes);
  BisectionPattern pattern(routes.endpoint_count());
  for (std::uint64_t index = 0; index < patterns; ++index) {
    const auto flows = pattern.draw(2, index);
    const auto counted = counter.largest_congestion(flows);
    REQUIRE(std::vector(counted.begin(), counted.end()) == naive_congestion(fabric, tables, flows));
  }
}

}  // namespace

TEST_CASE(
    "congestion matches the worked example of the Cluster 2008 paper, sections 2.2.1 and 3.2") {
  const RoutedFabric routed = cluster_2008_figure_1();
  CHECK(congestion(
            routed,
            flows_of({{1, 5}, {2, 9}, {3, 13}, {4, 6}, {7, 8}, {10, 11}, {12, 14}, {15, 16}})) ==
        std::vector<double>{3, 3, 3, 1, 1, 1, 1, 1});
  // "full bisection bandwidth"
  CHECK(congestion(
            routed,
            flows_of({{1, 5}, {2, 6}, {3, 7}, {4, 8}, {9, 13}, {10, 14}, {11, 15}, {12, 16}})) ==
        std::vector<double>(8, 1));
  // "node 4 sends packet 1 to node 14 and node 1 sends packet 2 to node 6 ... over a single link"
  CHECK(congestion(routed, flows_of({{4, 14}, {1, 6}})) == std::vector<double>{2, 2});
}

TEST_CASE("flows in opposite directions of a full-duplex link do not share capacity") {
  const RoutedFabric routed = chain(4);
  CHECK(congestion(routed, {{0, 2}, {3, 1}}) == std::vector<double>{1, 1});
  CHECK(congestion(routed, {{0, 2}, {1, 3}}) == std::vector<double>{2, 2});
}

TEST_CASE("congestion is relative to the capacity of a channel") {
  const RoutedFabric routed = cluster_2008_figure_1(true);
  // Cable 1 of the first leaf has half the rate and carries the flows to hosts 5, 9 and 13.
  CHECK(congestion(routed, flows_of({{1, 5}})) == std::vector<double>{2});
  CHECK(congestion(routed, flows_of({{1, 5}, {2, 9}, {3, 13}, {4, 6}})) ==
        std::vector<double>{6, 6, 6, 1});
}

TEST_CASE("a flow without a route has infinite congestion and does not affect other flows") {
  RoutedFabric routed = chain(4);
  const Lid lid = routed.fabric.end_port(routed.fabric.endpoints()[3]).lid;
  routed.tables.set(SwitchId(2), lid, no_port);
  const double none = std::numeric_limits<double>::infinity();
  CHECK(congestion(routed, {{0, 3}, {1, 2}}) == std::vector<double>{none, 1});
}

TEST_CASE("congestion matches its definition on random fabrics") {
  for (const bool equal_rates : {true, false}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      for (const RandomTables kind : {RandomTables::shortest_paths, RandomTables::noise}) {
        const auto [fabric, tables] = random_fabric(seed, kind, equal_rates);
        compare_bisections(fabric, tables, 20);
      }
    }
  }
}

TEST_CASE("congestion matches its definition on common topologies") {
  for (const char* topology :
       {"k-ary-n-tree 4 2", "mesh 7x5 --hosts 2", "torus 11x1 --hosts 3",
        "dragonfly --switches 4 --global-links 2 --hosts 2", "xgft 1,254 1,130"}) {
    CAPTURE(topology);
    const auto [fabric, tables] = route_along_shortest_paths(make_fabric(topology));
    compare_bisections(fabric, tables, 5);
  }
}

TEST_CASE("one counter scores patterns of different sizes in sequence") {
  const RoutedFabric routed = chain(9);
  const RouteStore routes(routed.fabric, routed.tables);
  CongestionCounter counter(routes);
  const std::vector<Flow> large{{0, 8}, {1, 7}, {2, 6}};
  const std::vector<Flow> small{{3, 4}};
  CHECK(counter.largest_congestion(large).size() == 3);
  const auto after = counter.largest_congestion(small);
  CHECK(std::vector(after.begin(), after.end()) == std::vector<double>{1});
  CHECK(counter.largest_congestion({}).empty());
}
