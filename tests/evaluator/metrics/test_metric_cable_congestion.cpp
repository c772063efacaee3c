#include <catch2/catch.hpp>
#include <vector>

#include "evaluator/metrics/cable_congestion.h"
#include "tests/evaluator/sample_fabrics.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("cable congestion is scaled to the largest sum of all links") {
  const RoutedFabric routed = chain(3);
  CableLoads loads = no_loads(routed.fabric);
  loads.channels[0] = 4;
  loads.sent[0] = 8;
  loads.received[2] = 2;
  const ScaledCongestion with_hosts = scaled_congestion(routed.fabric, loads, HostLinks::counted);
  CHECK(with_hosts.channels[0] == 0.5);
  CHECK(with_hosts.sent == std::vector<double>{1, 0, 0});
  CHECK(with_hosts.received == std::vector<double>{0, 0, 0.25});
  const ScaledCongestion without = scaled_congestion(routed.fabric, loads, HostLinks::left_out);
  CHECK(without.channels[0] == 1);
  CHECK(without.sent == std::vector<double>{0, 0, 0});
  CHECK(without.received == std::vector<double>{0, 0, 0});
}

TEST_CASE("the same flows congest a link of half the rate twice as much") {
  const RoutedFabric routed = cluster_2008_figure_1(true);
  CableLoads loads = no_loads(routed.fabric);
  for (std::uint64_t& load : loads.channels) load = 3;
  const ScaledCongestion scaled = scaled_congestion(routed.fabric, loads, HostLinks::counted);
  std::size_t slow = 0;
  for (const double c : scaled.channels) {
    CHECK((c == 1 || c == 0.5));
    if (c == 1) ++slow;
  }
  CHECK(slow == 2);  // both directions of the slow cable
}

TEST_CASE("cable congestion is zero without flows") {
  const RoutedFabric routed = chain(2);
  const ScaledCongestion scaled =
      scaled_congestion(routed.fabric, no_loads(routed.fabric), HostLinks::counted);
  for (const double c : scaled.channels) CHECK(c == 0);
}
