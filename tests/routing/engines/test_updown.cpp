#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/paths/distance_matrix.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/channel_loads.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/cassp.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/trees/least_loaded_trees.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/route_walk.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* specs[] = {"k-ary-n-tree 4 2",
                                 "k-ary-n-tree 2 4",
                                 "xgft 4,4 1,2",
                                 "director 288 --hosts 20",
                                 "leaf-director --leafs 4 --hosts 16 --directors 2",
                                 "director-chain --directors 2 --cables 4 --hosts 20",
                                 "mesh 4x4 --hosts 2",
                                 "mesh 5",
                                 "torus 3x4x3",
                                 "torus 4x4 --hosts 2 --lmc 2",
                                 "torus 3x3 --parallel 2 --hosts 2",
                                 "hyperx 4x3",
                                 "hypercube 4 --hosts 2",
                                 "full-mesh 6 --hosts 2",
                                 "random-regular 16 --degree 4 --hosts 3",
                                 "dragonfly --switches 3 --global-links 1 --hosts 1",
                                 "mesh 5x5 --hosts 2 --kill-links 6",
                                 "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
                                 "k-ary-n-tree 4 3 --kill-links 20",
                                 "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands"};

constexpr UpDownOptions few_probes{.roots = 2, .max_probes = 300'000};

/// The routes from all switches to all LIDs, including routes that carry no traffic.
std::vector<test::Route> all_routes(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<test::Route> routes;
  for (const Lid lid : fabric.lids()) {
    if (!fabric.delivery(lid).at.valid()) continue;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (auto path = test::walk(fabric, tables, SwitchId(s), lid)) routes.push_back(*path);
    }
  }
  return routes;
}

bool is_legal(const Fabric& fabric, const UpDownOrder& order, const test::Route& route) {
  bool went_down = false;
  for (const std::uint32_t c : route) {
    const bool goes_up = order.is_above(fabric.channel_head()[c], fabric.channel_tail()[c]);
    if (went_down && goes_up) return false;
    went_down = !goes_up;
  }
  return true;
}

double index_of(const Fabric& fabric, const ForwardingTables& tables) {
  return edge_forwarding_index(fabric, channel_loads(fabric, tables));
}

/// Routes as Autonet would: breadth-first from the most central switch.
ForwardingTables route_by_one_tree(const Fabric& fabric) {
  const UpDownOrder order = OrderGrower(fabric, 1).grow(0, Growth::near_first);
  ShortestTrees trees(fabric, UpDownDistances(fabric, order));
  return route_by_trees(fabric, switches_by_proximity(fabric), OrderChoice::best, trees, trees);
}

}  // namespace

TEST_CASE("updown connects all reachable pairs by legal routes", "[updown]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const UpDownRouting routing = route_up_down(fabric, few_probes);
    const VerifyReport report = verify(fabric, routing.tables);
    CHECK(report.usable());
    CHECK_FALSE(report.has_credit_loop());
    CHECK(assign_lanes(fabric, routing.tables).needed == 1);
    const DistanceMatrix distances(fabric);
    std::size_t connected = 0;
    for (const Lid lid : fabric.lids()) {
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        connected += distances.to(fabric.delivery(lid).at)[s] != DistanceMatrix::unreachable;
      }
    }
    const std::vector<test::Route> routes = all_routes(fabric, routing.tables);
    CHECK(routes.size() == connected);
    for (const test::Route& route : routes) CHECK(is_legal(fabric, routing.order, route));
    CHECK(test::is_acyclic(fabric, routes));
  }
}

TEST_CASE("cassp keeps up*/down* routes legal by the same order", "[updown][cassp]") {
  const EngineOptions options = EngineOptions::parse("noisy_passes=3 max_extra_hops=2 start=pssp");
  std::size_t moved = 0;
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const UpDownRouting start = route_up_down(fabric, few_probes);
    const ForwardingTables tables = route_contention_aware(fabric, options, start);
    CHECK(verify(fabric, tables).usable());
    CHECK(assign_lanes(fabric, tables).needed == 1);
    for (const test::Route& route : all_routes(fabric, tables)) {
      CHECK(is_legal(fabric, start.order, route));
    }
    CHECK(contending_pairs(fabric, tables) <= contending_pairs(fabric, start.tables));
    moved += tables != start.tables;
  }
  CHECK(moved > 5);
}

TEST_CASE("updown gives the same tables every time", "[updown]") {
  for (const char* spec : {"torus 4x4 --hosts 2", "random-regular 16 --degree 4 --hosts 3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const UpDownRouting routing = route_up_down(fabric, few_probes);
    const UpDownRouting again = route_up_down(fabric, few_probes);
    CHECK(routing.order == again.order);
    CHECK(routing.tables == again.tables);
    const auto options = EngineOptions::parse("roots=2 work=0");
    CHECK(updown_engine.make(options)->route(fabric).tables ==
          route_up_down(fabric, {.roots = 2, .max_probes = 0}).tables);
  }
}

TEST_CASE("updown is as good as minimal routing on fat trees", "[updown]") {
  for (const char* spec :
       {"k-ary-n-tree 4 2", "k-ary-n-tree 4 3", "k-ary-n-tree 2 4", "xgft 4,4 1,2",
        "xgft 4,4,4 1,2,2", "odin", "chic", "chic --shuffle-guids --seed 1", "director 288"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = route_up_down(fabric).tables;
    const DistanceMatrix distances(fabric);
    std::size_t longer = 0;
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid)) continue;
      const SwitchId at = fabric.delivery(lid).at;
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        if (fabric.endpoints_per_switch()[s] == 0) continue;
        const auto path = test::walk(fabric, tables, SwitchId(s), lid);
        REQUIRE(path.has_value());
        if (path->size() != distances.to(at)[s]) ++longer;
      }
    }
    CHECK(longer == 0);
    const ForwardingTables shortest = pssp_engine.make({})->route(fabric).tables;
    CHECK(index_of(fabric, tables) == index_of(fabric, shortest));
  }
}

TEST_CASE("updown's search finds a better order than a single breadth-first tree", "[updown]") {
  for (const char* spec :
       {"chic", "deimos", "mesh 5x5 --hosts 2", "mesh 4x4x4 --hosts 2", "torus 6x6x4",
        "hypercube 6 --hosts 2", "random-regular 64 --degree 8 --hosts 8",
        "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const double searched =
        estimate_bandwidth(fabric, route_up_down(fabric, {.max_probes = 3'000'000}).tables).mean;
    CHECK(searched > 1.02 * estimate_bandwidth(fabric, route_by_one_tree(fabric)).mean);
  }
}

TEST_CASE("updown also routes fabrics without traffic", "[updown]") {
  const Fabric one_switch = make_fabric("mesh 1 --hosts 3");
  CHECK(verify(one_switch, route_up_down(one_switch).tables).usable());
  FabricBuilder builder;
  builder.add_switch(1, 4, "alone", "");
  builder.assign_lids();
  const Fabric alone = std::move(builder).build();
  CHECK(route_up_down(alone).tables.at(SwitchId(0), 1) == management_port);
  CHECK_THROWS_AS(updown_engine.make({})->route(FabricBuilder().build()), Error);
  CHECK_THROWS_AS(updown_engine.make(EngineOptions::parse("roots=0")), Error);
  CHECK_THROWS_AS(updown_engine.make(EngineOptions::parse("work=-1")), Error);
}
