#include <catch2/catch.hpp>

#include "base/error.h"
#include "evaluator/flows/route_store.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;
using namespace pssp::test;

void compare_hops(const Fabric& fabric, const ForwardingTables& tables) {
  const RouteStore routes(fabric, tables);
  REQUIRE(routes.endpoint_count() == fabric.endpoints().size());
  for (std::uint32_t source = 0; source < routes.endpoint_count(); ++source) {
    for (std::uint32_t destination = 0; destination < routes.endpoint_count(); ++destination) {
      const auto route = naive_route(fabric, tables, source, destination);
      const int expected = route ? static_cast<int>(route->size()) : -1;
      REQUIRE(routes.hops(routes.endpoint_row(source), destination) == expected);
    }
  }
}

}  // namespace

TEST_CASE("the route store has the routes of the tables") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto [fabric, tables] = random_fabric(seed, RandomTables::shortest_paths, true);
    compare_hops(fabric, tables);
  }
}

TEST_CASE("the route store detects loops and dead ends in random tables") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto [fabric, tables] = random_fabric(seed, RandomTables::noise, true);
    compare_hops(fabric, tables);
  }
}

TEST_CASE("the route store holds routes of any length") {
  for (const std::uint32_t switches : {1U, 2U, 4U, 5U, 6U, 9U, 10U, 33U}) {
    const auto [fabric, tables] = chain(switches);
    compare_hops(fabric, tables);
    CHECK(RouteStore(fabric, tables).single_cell() == (switches <= 5));
  }
}

TEST_CASE("the route store uses 32-bit channel numbers if 16 bits are not enough") {
  const auto [fabric, tables] = route_along_shortest_paths(make_fabric("xgft 1,254 1,130"));
  REQUIRE(fabric.channel_count() > 65'536);
  const RouteStore routes(fabric, tables);
  CHECK(std::holds_alternative<std::vector<RouteStore::Cell<std::uint32_t>>>(routes.cells()));
  compare_hops(fabric, tables);
}

TEST_CASE("the route store refuses tables of another fabric") {
  const RoutedFabric two = chain(2);
  const RoutedFabric three = chain(3);
  CHECK_THROWS_AS(RouteStore(three.fabric, two.tables), Error);
  const ForwardingTables too_few_lids(three.fabric.switch_count(), two.fabric.max_lid());
  CHECK_THROWS_AS(RouteStore(three.fabric, too_few_lids), Error);
}
