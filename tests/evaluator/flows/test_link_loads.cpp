#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <vector>

#include "base/random.h"
#include "evaluator/flows/flow_paths.h"
#include "evaluator/flows/link_loads.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;
using namespace pssp::test;

std::vector<double> congestion_by_loads(const RoutedFabric& routed, const std::vector<Flow>& flows,
                                        HostLinks host_links = HostLinks::counted) {
  const RouteStore routes(routed.fabric, routed.tables);
  FlowPaths paths(routes);
  LinkLoads loads(routes, host_links);
  paths.collect(flows);
  loads.add(paths);
  std::vector<double> result(flows.size());
  loads.congestion(paths, result);
  return result;
}

/// Flows between random hosts; a host may send and receive several flows.
std::vector<Flow> random_flows(std::uint32_t endpoints, std::size_t count, std::uint64_t seed) {
  RandomGenerator random(seed, 99);
  std::vector<Flow> flows;
  while (flows.size() < count) {
    const Flow flow{random.below(endpoints), random.below(endpoints)};
    if (flow.source != flow.destination) flows.push_back(flow);
  }
  return flows;
}

}  // namespace

TEST_CASE("host links contribute to congestion unless they are excluded") {
  const RoutedFabric routed = single_switch(4);
  const std::vector<Flow> gather{{1, 0}, {2, 0}, {3, 0}};
  CHECK(congestion_by_loads(routed, gather) == std::vector<double>{3, 3, 3});
  CHECK(congestion_by_loads(routed, gather, HostLinks::left_out) == std::vector<double>{1, 1, 1});
  const std::vector<Flow> scatter{{0, 1}, {0, 2}, {0, 3}};
  CHECK(congestion_by_loads(routed, scatter) == std::vector<double>{3, 3, 3});
  CHECK(congestion_by_loads(routed, {{0, 1}, {1, 0}}) == std::vector<double>{1, 1});
}

TEST_CASE("channels between switches contribute to congestion if host links are excluded") {
  const RoutedFabric routed = chain(3);
  CHECK(congestion_by_loads(routed, {{0, 2}, {1, 2}, {2, 1}}, HostLinks::left_out) ==
        std::vector<double>{2, 2, 1});
}

TEST_CASE("congestion from link loads matches its definition on random fabrics") {
  for (const bool equal_rates : {true, false}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      for (const RandomTables kind : {RandomTables::shortest_paths, RandomTables::noise}) {
        const RoutedFabric routed = random_fabric(seed, kind, equal_rates);
        const auto endpoints = static_cast<std::uint32_t>(routed.fabric.endpoints().size());
        if (endpoints < 2) continue;
        const std::vector<Flow> flows = random_flows(endpoints, 3 * endpoints, seed);
        REQUIRE(congestion_by_loads(routed, flows) ==
                naive_congestion(routed.fabric, routed.tables, flows));
      }
    }
  }
}

TEST_CASE("link loads match the routes and accumulate over calls") {
  for (const char* topology : {"mesh 7x5 --hosts 2", "torus 11x1 --hosts 3", "k-ary-n-tree 4 2"}) {
    CAPTURE(topology);
    const auto [fabric, tables] = route_along_shortest_paths(make_fabric(topology));
    const auto endpoints = static_cast<std::uint32_t>(fabric.endpoints().size());
    const RouteStore routes(fabric, tables);
    FlowPaths paths(routes);
    LinkLoads loads(routes, HostLinks::counted);
    std::vector<std::uint32_t> channels(fabric.channel_count()), sent(endpoints),
        received(endpoints);
    for (std::uint64_t part = 0; part < 3; ++part) {
      const std::vector<Flow> flows = random_flows(endpoints, 50, part);
      paths.collect(flows);
      loads.add(paths);
      for (const Flow& flow : flows) {
        const auto route = naive_route(fabric, tables, flow.source, flow.destination);
        for (const std::uint32_t channel : *route) ++channels[channel];
        ++sent[flow.source];
        ++received[flow.destination];
      }
    }
    CHECK(std::ranges::equal(loads.channels(), channels));
    CHECK(std::ranges::equal(loads.sent(), sent));
    CHECK(std::ranges::equal(loads.received(), received));
    loads.clear();
    CHECK(std::ranges::count(loads.channels(), 0U) == std::ssize(channels));
    CHECK(std::ranges::count(loads.sent(), 0U) == endpoints);
  }
}
