// Extends service levels to tables that differ a little from earlier ones, and compares the result
// with a search by Boost.Graph.

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "routing/deadlock/extended_levels.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/verify/lanes.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "tests/routing/repair/repair_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

bool is_acyclic_on_each_lane(const Fabric& fabric, const ForwardingTables& tables,
                             const ServiceLevels& levels) {
  const auto routes = test::routes_by_level(fabric, tables, levels, true);
  return std::ranges::all_of(routes, [&](const std::vector<test::Route>& of_level) {
    return test::is_acyclic(fabric, of_level);
  });
}

/// Number of routes that are the same in both tables but have different levels.
int changed_levels(const Fabric& fabric, const ForwardingTables& tables,
                   const ProvedLevels& earlier, const ServiceLevels& levels) {
  int changed = 0;
  test::for_each_route(fabric, tables, true, [&](SwitchId s, Lid lid, const test::Route& route) {
    const auto before = test::walk(fabric, earlier.tables, s, lid);
    if (before && *before == route && levels.at(s, lid) != earlier.levels.at(s, lid)) ++changed;
  });
  return changed;
}

}  // namespace

TEST_CASE("extend_levels keeps the levels of unchanged routes and creates no credit loop") {
  for (const char* const spec :
       {"torus 4x4 --hosts 2", "random-regular 16 --degree 4 --hosts 2", "hyperx 3x3 --hosts 2"}) {
    const Fabric whole = make_fabric(spec);
    const ForwardingTables tables = test::route(whole, "pssp");
    const LaneAssignment lanes = assign_lanes(whole, tables);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      INFO(spec << ", seed " << seed);
      const Fabric now = test::damaged(whole, 0, 1 + seed % 3, seed);
      const ForwardingTables repaired = reroute_stably(now, tables).tables;
      const ProvedLevels earlier{tables, lanes.service_levels};
      const auto levels = extend_levels(now, repaired, earlier, 0, max_data_lanes);
      REQUIRE(levels);
      CHECK(verify_lanes(now, repaired, *levels).is_deadlock_free());
      CHECK(is_acyclic_on_each_lane(now, repaired, *levels));
      CHECK(changed_levels(now, repaired, earlier, *levels) == 0);
    }
  }
}

TEST_CASE(
    "extend_levels fails if a route fits on no lane or the earlier lanes have a credit loop") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  const ForwardingTables tables = test::route(ring, "pssp");
  REQUIRE_FALSE(verify_lanes(ring, tables, level_zero(tables)).is_deadlock_free());
  CHECK_FALSE(extend_levels(ring, tables, {tables, level_zero(tables)}, 0, max_data_lanes));

  const ServiceLevels no_levels(ring.switch_count(), tables.max_lid());
  CHECK_FALSE(extend_levels(ring, tables, {tables, no_levels}, 0, 1));
  const auto two_lanes = extend_levels(ring, tables, {tables, no_levels}, 3, 5);
  REQUIRE(two_lanes);
  CHECK(verify_lanes(ring, tables, *two_lanes).is_deadlock_free());
  CHECK(verify_lanes(ring, tables, *two_lanes).lanes == 5);
}
