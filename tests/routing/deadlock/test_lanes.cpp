// Compares verify_lanes() with Boost.Graph.

#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "routing/verify/lanes.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ServiceLevels random_levels(const Fabric& fabric, unsigned lanes, unsigned seed) {
  std::mt19937 random(seed);
  ServiceLevels levels(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids())
      levels.set(SwitchId(s), lid, static_cast<ServiceLevel>(random() % lanes));
  }
  return levels;
}

std::uint64_t count_dependencies(const std::vector<test::Route>& routes) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const test::Route& route : routes) {
    for (std::size_t i = 1; i < route.size(); ++i) edges.emplace(route[i - 1], route[i]);
  }
  return edges.size();
}

}  // namespace

TEST_CASE("verify_lanes reports a cycle in the first lane that has one, and none otherwise") {
  unsigned with_cycle = 0, without = 0;
  for (const char* spec : {"torus 5", "torus 3x3", "mesh 3x3 --hosts 2", "full-mesh 5",
                           "k-ary-n-tree 2 3", "torus 6 --kill-switches 1 --lids"}) {
    const Fabric fabric = make_fabric(spec);
    for (unsigned seed = 1; seed <= 12; ++seed) {
      const ForwardingTables tables = seed % 2 == 0 ? test::random_tree_tables(fabric, seed)
                                                    : make_engine("pssp", {})->route(fabric).tables;
      const unsigned lanes = 1 + seed % 5;
      const ServiceLevels levels = random_levels(fabric, lanes, seed);
      for (const bool switch_ports : {false, true}) {
        const LaneReport report = verify_lanes(fabric, tables, levels, {switch_ports});
        const auto routes = test::routes_by_level(fabric, tables, levels, switch_ports);
        CHECK(report.routes_without_level == 0);
        CHECK(report.lanes <= lanes);
        unsigned first_cyclic = service_level_count;
        for (unsigned lane = 0; lane < report.lanes; ++lane) {
          CHECK(report.dependencies[lane] == count_dependencies(routes[lane]));
          if (!test::is_acyclic(fabric, routes[lane])) first_cyclic = std::min(first_cyclic, lane);
        }
        CHECK(report.is_deadlock_free() == (first_cyclic == service_level_count));
        if (report.is_deadlock_free()) {
          ++without;
          CHECK(describe_deadlock(fabric, report).empty());
          continue;
        }
        ++with_cycle;
        REQUIRE(report.cycle_lane == first_cyclic);
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (const test::Route& route : routes[first_cyclic]) {
          for (std::size_t i = 1; i < route.size(); ++i) edges.emplace(route[i - 1], route[i]);
        }
        for (std::size_t i = 0; i < report.cycle.size(); ++i) {
          const ChannelId next = report.cycle[(i + 1) % report.cycle.size()];
          CHECK(edges.count({report.cycle[i].value(), next.value()}) == 1);
        }
        CHECK_THAT(describe_deadlock(fabric, report),
                   Catch::Contains(fabric.channel_label(report.cycle[0])));
      }
    }
  }
  CHECK(with_cycle > 10);
  CHECK(without > 10);
}

TEST_CASE("verify_lanes counts the routes without a service level") {
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2");
  const ForwardingTables tables = make_engine("meshdor", {})->route(fabric).tables;
  ServiceLevels levels = random_levels(fabric, 1, 1);
  CHECK(verify_lanes(fabric, tables, levels).is_deadlock_free());
  levels.set(SwitchId(4), fabric.end_port(EndPortId(0)).lid, no_service_level);
  levels.set(SwitchId(2), fabric.end_port(EndPortId(0)).lid, no_service_level);
  LaneReport report = verify_lanes(fabric, tables, levels);
  CHECK(report.routes_without_level == 2);
  CHECK_FALSE(report.is_deadlock_free());
  CHECK_THAT(describe_deadlock(fabric, report),
             Catch::Contains(fabric.label(SwitchId(2))) && Catch::Contains("2 routes"));
  // Empty tables have no routes, so no levels are needed.
  report = verify_lanes(fabric, ForwardingTables(9, fabric.max_lid()), ServiceLevels(9, 1));
  CHECK(report.is_deadlock_free());
  CHECK(report.lanes == 0);
}

TEST_CASE("verify_lanes terminates on tables with forwarding loops") {
  const Fabric fabric = make_fabric("random-regular 10 --degree 3 --hosts 2");
  for (unsigned seed = 1; seed < 10; ++seed) {
    const ForwardingTables tables = test::noise_tables(fabric, seed);
    verify_lanes(fabric, tables, random_levels(fabric, 3, seed));
    verify_lanes(fabric, tables, ServiceLevels(10, fabric.max_lid()));
  }
}

TEST_CASE("verify_lanes rejects tables or levels of another fabric") {
  const Fabric fabric = make_fabric("torus 4");
  const ForwardingTables tables(4, fabric.max_lid());
  CHECK_THROWS_AS(verify_lanes(fabric, tables, ServiceLevels(5, fabric.max_lid())), Error);
  CHECK_THROWS_AS(verify_lanes(fabric, ForwardingTables(3, 4), ServiceLevels(4, 4)), Error);
}
