#include <catch2/catch.hpp>
#include <vector>

#include "evaluator/metrics/hops.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"

using namespace pssp;
using namespace pssp::test;

using Histogram = std::vector<std::uint64_t>;

namespace {

HopStatistics hops(const RoutedFabric& routed) {
  return hop_statistics(RouteStore(routed.fabric, routed.tables));
}

}  // namespace

TEST_CASE("hop counts of figure 1 of the Cluster 2008 paper are correct") {
  // Each of the 16 hosts has 3 other hosts on its leaf and 12 hosts on other leaves.
  const HopStatistics statistics = hops(cluster_2008_figure_1());
  CHECK(statistics.histogram == Histogram{48, 0, 192});
  CHECK(statistics.mean == Approx(1.6));
  CHECK(statistics.max == 2);
}

TEST_CASE("hop counts of a chain are correct") {
  const HopStatistics statistics = hops(chain(7));
  CHECK(statistics.histogram == Histogram{0, 12, 10, 8, 6, 4, 2});
  CHECK(statistics.max == 6);
  CHECK(statistics.mean == Approx((12 + 20 + 24 + 24 + 20 + 12) / 42.0));
}

TEST_CASE("hop counts are defined for zero, one and few hosts") {
  CHECK(hops(single_switch(0)).histogram.empty());
  CHECK(hops(single_switch(1)).histogram.empty());
  CHECK(hops(single_switch(1)).mean == 0);
  CHECK(hops(single_switch(3)).histogram == Histogram{6});
  CHECK(hops(single_switch(3)).max == 0);
}

TEST_CASE("hop counts match the lengths of all routes") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RoutedFabric routed = random_fabric(seed, RandomTables::noise, true);
    const auto endpoints = static_cast<std::uint32_t>(routed.fabric.endpoints().size());
    Histogram expected;
    for (std::uint32_t source = 0; source < endpoints; ++source) {
      for (std::uint32_t destination = 0; destination < endpoints; ++destination) {
        if (source == destination) continue;
        const auto route = naive_route(routed.fabric, routed.tables, source, destination);
        if (!route) continue;
        if (route->size() >= expected.size()) expected.resize(route->size() + 1);
        ++expected[route->size()];
      }
    }
    CAPTURE(seed);
    CHECK(hops(routed).histogram == expected);
  }
}
