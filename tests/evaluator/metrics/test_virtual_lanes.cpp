// Compares the lanes that tables need with all possible assignments, and the pairs in each lane
// with a trace of every route.

#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "base/error.h"
#include "evaluator/metrics/virtual_lanes.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::optional<unsigned> needed(const Fabric& fabric, const ForwardingTables& tables, bool search,
                               bool switch_ports) {
  return lanes_needed(fabric, tables, verify(fabric, tables), {search, switch_ports});
}

std::vector<test::Route> routes_of(const Fabric& fabric, const ForwardingTables& tables,
                                   bool switch_ports) {
  std::set<test::Route> distinct;
  test::for_each_route(fabric, tables, switch_ports,
                       [&](SwitchId, Lid, const test::Route& route) { distinct.insert(route); });
  return {distinct.begin(), distinct.end()};
}

/// Traces from every endpoint to every LID of an endpoint on another switch, one by one.
std::vector<std::uint64_t> walked_pairs(const Fabric& fabric, const ForwardingTables& tables,
                                        const ServiceLevels& levels) {
  std::vector<std::uint64_t> pairs;
  for (const EndPortId source : fabric.endpoints()) {
    const SwitchId from = fabric.end_port(source).attached;
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid) || fabric.delivery(lid).at == from) continue;
      const ServiceLevel level = levels.at(from, lid);
      if (level == no_service_level || !test::walk(fabric, tables, from, lid)) continue;
      pairs.resize(std::max<std::size_t>(pairs.size(), level + std::size_t{1}), 0);
      ++pairs[level];
    }
  }
  return pairs;
}

ServiceLevels random_levels(const Fabric& fabric, unsigned lanes, unsigned seed) {
  std::mt19937 random(seed);
  ServiceLevels levels(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      const auto level = random() % (lanes + 1);
      if (level != lanes) levels.set(SwitchId(s), lid, static_cast<ServiceLevel>(level));
    }
  }
  return levels;
}

}  // namespace

TEST_CASE("one lane is enough exactly if the channel dependency graph has no cycle") {
  unsigned free = 0, cyclic = 0, only_with_switches = 0;
  for (const char* spec :
       {"torus 5", "mesh 3x3 --hosts 2", "full-mesh 4", "k-ary-n-tree 2 3 --kill-links 2",
        "k-ary-n-tree 3 3 --kill-links 4 --seed 1", "torus 4x4 --kill-switches 3 --seed 2"}) {
    const Fabric fabric = make_fabric(spec);
    for (unsigned seed = 0; seed < 9; ++seed) {
      const ForwardingTables tables = seed == 0 ? make_engine("pssp", {})->route(fabric).tables
                                      : seed % 3 == 0 ? test::noise_tables(fabric, seed)
                                                      : test::random_tree_tables(fabric, seed);
      bool was_free = false;
      for (const bool switch_ports : {false, true}) {
        const bool is_free = test::is_acyclic(fabric, routes_of(fabric, tables, switch_ports));
        // verify() also examines routes that do not reach their destination and may find a cycle
        // among them.
        const std::optional<unsigned> quick = needed(fabric, tables, false, switch_ports);
        if (verify(fabric, tables).usable()) {
          CHECK((quick == 1U) == is_free);
        } else if (quick) {
          CHECK(is_free);
        }
        if (!quick) CHECK((needed(fabric, tables, true, switch_ports) == 1U) == is_free);
        ++(is_free ? free : cyclic);
        if (switch_ports && was_free && !is_free) ++only_with_switches;
        was_free = is_free;
      }
    }
  }
  CHECK(free > 5);
  CHECK(cyclic > 5);
  CHECK(only_with_switches > 0);
}

TEST_CASE("the number of lanes found is the minimum over all assignments on small fabrics") {
  for (const char* spec : {"torus 4", "torus 5", "full-mesh 4", "torus 3x2"}) {
    const Fabric fabric = make_fabric(spec);
    for (unsigned seed = 0; seed < 4; ++seed) {
      const ForwardingTables tables = seed == 0 ? make_engine("pssp", {})->route(fabric).tables
                                                : test::random_tree_tables(fabric, seed);
      const std::vector<test::Route> routes = routes_of(fabric, tables, false);
      std::size_t fewest = 1;
      while (!test::fits(fabric, routes, fewest)) ++fewest;
      CHECK(needed(fabric, tables, true, false) == fewest);
    }
  }
}

TEST_CASE("pair counts of each lane match a trace of every route") {
  for (const char* spec : {"torus 4x3 --hosts 2", "mesh 3x3", "k-ary-n-tree 2 3 --kill-links 3",
                           "torus 6 --kill-switches 2", "full-mesh 3 --hosts 1"}) {
    const Fabric fabric = make_fabric(spec);
    for (unsigned seed = 1; seed < 6; ++seed) {
      const ForwardingTables tables =
          seed % 2 == 0 ? test::noise_tables(fabric, seed) : test::random_tree_tables(fabric, seed);
      const ServiceLevels levels = random_levels(fabric, 1 + seed, seed);
      CHECK(pairs_by_lane(fabric, tables, levels) == walked_pairs(fabric, tables, levels));
      const LaneAssignment assigned = assign_lanes(fabric, tables, {.max_lanes = 3});
      std::vector<std::uint64_t> pairs = pairs_by_lane(fabric, tables, assigned.service_levels);
      pairs.resize(assigned.pairs.size(), 0);
      CHECK(pairs == assigned.pairs);
    }
  }
}
