#include <catch2/catch.hpp>
#include <iostream>
#include <numeric>
#include <string>

#include "base/error.h"
#include "fabric/formats/topology_file.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Checks with Boost.Graph that no lane has a cycle and each route has a level, and recounts the
/// statistics.
void check_assignment(const Fabric& fabric, const ForwardingTables& tables,
                      const LaneAssignment& assignment, const LaneOptions& options = {}) {
  const ServiceLevels& levels = assignment.service_levels;
  std::vector<std::vector<test::Route>> routes(service_level_count);
  std::vector<std::uint64_t> pairs(assignment.lanes, 0);
  test::for_each_route(fabric, tables, options.switch_ports,
                       [&](SwitchId s, Lid lid, const test::Route& route) {
                         REQUIRE(levels.at(s, lid) < assignment.lanes);
                         routes[levels.at(s, lid)].push_back(route);
                         if (fabric.is_endpoint_lid(lid) && !route.empty())
                           pairs[levels.at(s, lid)] += fabric.endpoints_per_switch()[s.value()];
                       });
  for (const auto& of_level : routes) CHECK(test::is_acyclic(fabric, of_level));
  CHECK(assignment.pairs == pairs);
  CHECK(assignment.needed <= assignment.lanes);
  const LaneReport report = verify_lanes(fabric, tables, levels, {options.switch_ports});
  CHECK(report.is_deadlock_free());
}

/// On a ring, all packets travel in the same direction.
ForwardingTables one_direction_tables(const Fabric& fabric) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  std::vector<std::uint32_t> onward(fabric.switch_count());
  std::uint32_t s = 0, from = 0;
  do {
    const std::uint32_t c = fabric.first_channel()[s];
    onward[s] = s == 0 || fabric.channel_head()[c] != from ? c : c + 1;
    from = s;
    s = fabric.channel_head()[onward[s]];
  } while (s != 0);
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    for (std::uint32_t each = 0; each < fabric.switch_count(); ++each) {
      tables.set(
          SwitchId(each), lid,
          SwitchId(each) == delivery.at ? delivery.port : fabric.channel_out_port()[onward[each]]);
    }
  }
  return tables;
}

ForwardingTables routed(const Fabric& fabric, const char* engine) {
  return make_engine(engine, {})->route(fabric).tables;
}

}  // namespace

TEST_CASE("all families and engines are free of deadlocks within eight lanes") {
  // The limits are the numbers of lanes that OpenSM's dfsssp needs for its own tables, or less.
  struct Case {
    const char* spec;
    unsigned most;
  };
  const Case cases[] = {
      {"k-ary-n-tree 4 2", 1},
      {"xgft 4,4,4 1,2,2", 1},
      {"director 48", 1},
      {"odin", 1},
      {"chic --kill-links 20", 1},
      {"deimos", 2},
      {"leaf-director --leafs 8 --hosts 64 --directors 2 --uplinks 6 --director-ports 144", 1},
      {"director-chain --directors 2 --cables 10 --hosts 100 --director-ports 144", 1},
      {"mesh 5x5 --hosts 2", 2},
      {"mesh 4x4x4 --hosts 2", 4},
      {"torus 6", 2},
      {"torus 5x5 --hosts 2", 3},
      {"hyperx 4x4", 1},
      {"hypercube 6 --hosts 2", 4},
      {"full-mesh 8 --hosts 2", 1},
      {"random-regular 64 --degree 8 --hosts 2", 3},
      {"dragonfly --switches 4 --global-links 2 --hosts 2", 2},
      {"mesh 4x4 --parallel 2 --lmc 1 --hosts 2", 3},
      {"random-regular 30 --degree 4 --kill-links 20 --kill-switches 3 --allow-islands --lids", 5},
  };
  for (const Case& each : cases) {
    const Fabric fabric = make_fabric(each.spec);
    for (const char* engine : {"pssp", "p2ssp"}) {
      INFO(each.spec << " " << engine);
      const ForwardingTables tables = routed(fabric, engine);
      const LaneAssignment assignment = assign_lanes(fabric, tables);
      check_assignment(fabric, tables, assignment);
      CHECK(assignment.needed <= each.most);
      CHECK(assignment.lanes == assignment.needed);
      VerifyOptions every;
      every.max_examples = 0;
      if (assignment.needed == 1) CHECK_FALSE(verify(fabric, tables, every).has_credit_loop());
    }
  }
}

TEST_CASE("assigning lanes to entangled parts of routes needs no more lanes than whole routes") {
  // Covers fabrics where nearly all dependencies are entangled, where few are, and where credit
  // loops are separate from each other. The limit is the number of lanes for whole routes.
  for (const char* spec :
       {"torus 5x5 --hosts 2", "mesh 4x4 --parallel 2 --lmc 1 --hosts 2", "deimos",
        "xgft 6,6,6 1,3,3 --lids --kill-links 12", "torus 6", "hypercube 4 --hosts 2",
        "random-regular 30 --degree 4 --kill-links 20 --kill-switches 3 --allow-islands --lids",
        "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = routed(fabric, "pssp");
    LaneOptions in_parts;
    in_parts.most_whole_routes = 0;
    const LaneAssignment assignment = assign_lanes(fabric, tables, in_parts);
    check_assignment(fabric, tables, assignment, in_parts);
    CHECK(assignment.needed <= assign_lanes(fabric, tables).needed);
  }
}

TEST_CASE("a 6x6x4 torus is deadlock-free within six lanes") {
  const Fabric fabric = make_fabric("torus 6x6x4");
  for (const char* engine : {"pssp", "p2ssp", "meshdor"}) {
    INFO(engine);
    const ForwardingTables tables = routed(fabric, engine);
    const LaneAssignment assignment = assign_lanes(fabric, tables);
    CHECK(assignment.needed <= 6);
    CHECK(verify_lanes(fabric, tables, assignment.service_levels).is_deadlock_free());
  }
}

TEST_CASE("dimension order routing needs one lane on meshes and hypercubes") {
  for (const char* spec : {"mesh 5x5 --hosts 2", "mesh 4x4x4", "hypercube 6", "mesh 7"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const LaneAssignment assignment = assign_lanes(fabric, routed(fabric, "meshdor"));
    CHECK(assignment.needed == 1);
    CHECK(assignment.work == 0);
  }
}

TEST_CASE("assign_lanes needs the minimum number of lanes on tiny fabrics") {
  for (const char* spec :
       {"torus 4", "torus 5", "torus 6", "full-mesh 4", "full-mesh 5", "full-mesh 7", "mesh 3x2",
        "mesh 3x3", "hypercube 3", "random-regular 6 --degree 3"}) {
    const Fabric fabric = make_fabric(spec);
    LaneOptions options;
    options.switch_ports = false;
    for (unsigned seed = 0; seed < 10; ++seed) {
      INFO(spec << " " << seed);
      const ForwardingTables tables = seed == 0 ? routed(fabric, "pssp")
                                      : seed == 1 && std::string(spec).starts_with("torus")
                                          ? one_direction_tables(fabric)
                                          : test::random_tree_tables(fabric, seed);
      const LaneAssignment assignment = assign_lanes(fabric, tables, options);
      check_assignment(fabric, tables, assignment, options);
      std::set<test::Route> routes;
      test::for_each_route(fabric, tables, false, [&](SwitchId, Lid, const test::Route& route) {
        if (route.size() > 1) routes.insert(route);
      });
      // Long routes come first, so that the search reaches dead ends early.
      std::vector<test::Route> sorted(routes.begin(), routes.end());
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const auto& a, const auto& b) { return a.size() > b.size(); });
      if (assignment.needed > 1) CHECK_FALSE(test::fits(fabric, sorted, assignment.needed - 1));
    }
  }
}

TEST_CASE("a ring of n switches with all routes in one direction needs n / 2 lanes, rounded up") {
  // A lane has no cycle if its routes leave out at least one dependency of the ring. Each of the n
  // longest routes leaves out two adjacent dependencies.
  for (unsigned n = 3; n <= 12; ++n) {
    const Fabric fabric = make_fabric("torus " + std::to_string(n));
    const ForwardingTables tables = one_direction_tables(fabric);
    const LaneAssignment assignment = assign_lanes(fabric, tables);
    check_assignment(fabric, tables, assignment);
    CHECK(assignment.needed == (n + 1) / 2);
  }
}

TEST_CASE("assign_lanes is deterministic") {
  const Fabric fabric = make_fabric("torus 5x4 --hosts 2");
  const ForwardingTables tables = routed(fabric, "pssp");
  const LaneAssignment once = assign_lanes(fabric, tables), again = assign_lanes(fabric, tables);
  CHECK(once.service_levels == again.service_levels);
  CHECK(once.work == again.work);
}

TEST_CASE("balance spreads the routes over all lanes") {
  LaneOptions options;
  options.balance = true;
  for (const char* spec : {"chic", "torus 5x5 --hosts 2", "deimos", "hypercube 5"}) {
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = routed(fabric, "pssp");
    for (const unsigned lanes : {1U, 2U, 3U, 8U, 15U}) {
      INFO(spec << " " << lanes);
      options.max_lanes = lanes;
      const LaneAssignment assignment = assign_lanes(fabric, tables, options);
      check_assignment(fabric, tables, assignment, options);
      CHECK(assignment.lanes == std::max(lanes, assignment.needed));
      if (lanes < 2 * assignment.needed) continue;
      const std::uint64_t all =
          std::accumulate(assignment.pairs.begin(), assignment.pairs.end(), std::uint64_t{0});
      for (const std::uint64_t pairs : assignment.pairs) {
        CHECK(pairs > 0);
        CHECK(pairs < 2 * all / lanes);
      }
    }
  }
}

TEST_CASE("reversible routes have the same level both ways") {
  LaneOptions options;
  options.reversible = true;
  for (const char* spec : {"torus 6 --hosts 2", "torus 5x5", "mesh 4x4 --lmc 1", "chic",
                           "random-regular 20 --degree 4 --kill-links 8 --kill-switches 2 "
                           "--allow-islands --lids"}) {
    for (const char* engine : {"pssp", "p2ssp"}) {
      INFO(spec << " " << engine);
      const Fabric fabric = make_fabric(spec);
      const ForwardingTables tables = routed(fabric, engine);
      const LaneAssignment assignment = assign_lanes(fabric, tables, options);
      check_assignment(fabric, tables, assignment, options);
      const ServiceLevels& levels = assignment.service_levels;
      test::for_each_route(fabric, tables, true, [&](SwitchId s, Lid to, const test::Route&) {
        const SwitchId at = fabric.delivery(to).at;
        for (const Lid from : fabric.lids()) {
          if (fabric.delivery(from).at == s && levels.at(at, from) != no_service_level)
            REQUIRE(levels.at(at, from) == levels.at(s, to));
        }
      });
    }
  }
}

TEST_CASE("in tables with holes and loops, exactly the routes that arrive have a level") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Fabric fabric = make_fabric(seed % 2 == 0 ? "random-regular 10 --degree 4 --hosts 2"
                                                    : "mesh 3x3 --hosts 2 --parallel 2 --lmc 1");
    const ForwardingTables tables = test::noise_tables(fabric, seed);
    const LaneAssignment assignment = assign_lanes(fabric, tables);
    check_assignment(fabric, tables, assignment);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      for (const Lid lid : fabric.lids()) {
        if (!test::walk(fabric, tables, SwitchId(s), lid))
          CHECK(assignment.service_levels.at(SwitchId(s), lid) == no_service_level);
      }
    }
  }
}

TEST_CASE("needing more lanes than max_lanes is a result, not an error") {
  // Random tables of a complete graph have long routes.
  const Fabric fabric = make_fabric("full-mesh 12 --hosts 1");
  const ForwardingTables tables = test::random_tree_tables(fabric, 5);
  LaneOptions options;
  options.max_lanes = 1;
  options.balance = true;
  const LaneAssignment assignment = assign_lanes(fabric, tables, options);
  CHECK(assignment.needed > 1);
  CHECK(assignment.lanes == assignment.needed);
  check_assignment(fabric, tables, assignment);
}

TEST_CASE("a stopped search reports the lanes that it found so far, or that it found none") {
  const Fabric fabric = make_fabric("torus 5x5x3 --hosts 1");
  const ForwardingTables tables = routed(fabric, "pssp");
  std::size_t checks = 0, stop_at = 0;
  LaneOptions options;
  options.balance = true;
  options.stop = StopSignal([&] { return ++checks == stop_at; });
  const LaneAssignment whole = assign_lanes(fabric, tables, options);
  const std::size_t all = checks;
  CHECK_FALSE(whole.stopped);
  REQUIRE(all > 100);
  for (const std::size_t at : {std::size_t{1}, std::size_t{2}, std::size_t{4}, all / 2, all - 1}) {
    INFO("stopped at check " << at << " of " << all);
    checks = 0;
    stop_at = at;
    const LaneAssignment stopped = assign_lanes(fabric, tables, options);
    CHECK(stopped.stopped);
    CHECK(checks == at);
    CHECK(stopped.needed >= whole.needed);
    if (at == 1) CHECK(stopped.needed == max_data_lanes + 1);
    if (at == all - 1) CHECK(stopped.needed <= max_data_lanes);
    if (stopped.needed <= max_data_lanes) check_assignment(fabric, tables, stopped);
  }
}

TEST_CASE("a search that would need too much memory is not started") {
  const Fabric torus = make_fabric("torus 5x5 --hosts 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(torus).tables;
  LaneOptions options;
  // The first limit stops the search before anything is built, the second once the routes are
  // known.
  for (const std::uint64_t most : {least_search_bytes(torus) - 1, least_search_bytes(torus)}) {
    options.most_bytes = most;
    const LaneAssignment none = assign_lanes(torus, tables, options);
    CHECK(none.needed == max_data_lanes + 1);
    CHECK(none.bytes_wanted > most);
    CHECK(none.work == 0);
  }
  options.most_bytes = 10'000'000;
  const LaneAssignment found = assign_lanes(torus, tables, options);
  CHECK(found.bytes_wanted == 0);
  check_assignment(torus, tables, found);
  // Tables that need one lane need no search.
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  options.most_bytes = least_search_bytes(tree);
  CHECK(assign_lanes(tree, make_engine("pssp", {})->route(tree).tables, options).needed == 1);
}

TEST_CASE("fabrics with nothing to assign need one lane") {
  for (const char* spec : {"full-mesh 1 --hosts 4", "full-mesh 2", "director 24"}) {
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = routed(fabric, "pssp");
    const LaneAssignment assignment = assign_lanes(fabric, tables);
    CHECK(assignment.needed == 1);
    check_assignment(fabric, tables, assignment);
  }
}

TEST_CASE("assign_lanes rejects invalid arguments") {
  const Fabric fabric = make_fabric("torus 4");
  const ForwardingTables tables = routed(fabric, "pssp");
  LaneOptions options;
  for (const unsigned lanes : {0U, 16U}) {
    options.max_lanes = lanes;
    CHECK_THROWS_AS(assign_lanes(fabric, tables, options), Error);
  }
  CHECK_THROWS_AS(assign_lanes(fabric, ForwardingTables(3, 8)), Error);
}

TEST_CASE("real fabrics are free of deadlocks within eight lanes") {
  struct Case {
    const char* file;
    unsigned most;
  };
  // OpenSM's dfsssp needs 8 and 2 lanes.
  for (const Case& each :
       {Case{"hdr-666-switches.ibnetdiscover", 5}, Case{"ndr-40-switches.ibnetdiscover", 2}}) {
    const std::filesystem::path path = test::saved_fabric(each.file);
    if (path.empty()) {
      std::cout << "skipped: " << each.file << " is not here\n";
      continue;
    }
    const Fabric fabric = std::move(read_topology(path).builder).build();
    const ForwardingTables tables = routed(fabric, "pssp");
    const LaneAssignment assignment = assign_lanes(fabric, tables);
    CHECK(assignment.needed <= each.most);
    CHECK(verify_lanes(fabric, tables, assignment.service_levels).is_deadlock_free());
  }
}
