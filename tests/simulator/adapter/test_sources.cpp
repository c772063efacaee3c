#include <catch2/catch.hpp>

#include "tests/simulator/oracles/simulated.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("sources: a rate whose packets come later than any run ends sends nothing") {
  const RoutedFabric chain = routed("mesh 3 --hosts 1", "meshdor");
  for (const Arrivals arrivals : {Arrivals::regular, Arrivals::poisson}) {
    Traffic traffic = traffic_of(milliseconds(1));
    StaticFlow flow = flow_of(0, 2);
    flow.arrivals = arrivals;
    flow.rate = 1e-300;
    flow.start = 1;
    traffic.flows.push_back(flow);
    flow.rate = 0.5;
    flow.on = 1;
    flow.off = 1000 * picoseconds_per_second;
    traffic.flows.push_back(flow);
    // Each may send the packet with which it begins.
    CHECK(play(chain, traffic, equal_links()).created <= 2);
  }
  Traffic uniform = traffic_of(milliseconds(1));
  uniform.uniform.push_back({.senders = {0, 1, 2}, .destinations = {0, 1, 2}});
  uniform.uniform.front().arrivals = Arrivals::poisson;
  uniform.uniform.front().rate = 1e-300;
  CHECK(play(chain, uniform, equal_links()).created == 0);
}

TEST_CASE("sources: more messages under way than memory is for are refused") {
  const RoutedFabric chain = routed("mesh 3 --hosts 1", "meshdor");
  Traffic traffic = traffic_of(milliseconds(1));
  traffic.uniform.push_back({.senders = {0, 1, 2}, .destinations = {0, 1, 2}});
  traffic.uniform.front().messages = 4'000'000;
  CHECK_THROWS_WITH(play(chain, traffic, equal_links()), Catch::Contains("under way at once"));
}
