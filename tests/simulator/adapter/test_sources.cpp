#include <catch2/catch.hpp>

#include "tests/simulator/oracles/simulated.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("a source whose next packet comes after the end of the run sends nothing more") {
  const RoutedNetwork chain = routed("mesh 3 --hosts 1", "meshdor");
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
    // Each flow may send its first packet.
    CHECK(simulate_run(chain, traffic, equal_links()).created <= 2);
  }
  Traffic uniform = traffic_of(milliseconds(1));
  uniform.uniform.push_back({.senders = {0, 1, 2}, .destinations = {0, 1, 2}});
  uniform.uniform.front().arrivals = Arrivals::poisson;
  uniform.uniform.front().rate = 1e-300;
  CHECK(simulate_run(chain, uniform, equal_links()).created == 0);
}

TEST_CASE("traffic with more messages in progress than fit in memory is refused") {
  const RoutedNetwork chain = routed("mesh 3 --hosts 1", "meshdor");
  Traffic traffic = traffic_of(milliseconds(1));
  traffic.uniform.push_back({.senders = {0, 1, 2}, .destinations = {0, 1, 2}});
  traffic.uniform.front().messages = 4'000'000;
  CHECK_THROWS_WITH(simulate_run(chain, traffic, equal_links()),
                    Catch::Contains("more than 10,000,000 messages at the same time"));
}

TEST_CASE("a source creates no packets during a pause and continues after the pause") {
  const RoutedNetwork chain = routed("mesh 3 --hosts 1", "meshdor");
  const auto created = [&](Arrivals arrivals, SimulatedTime on, SimulatedTime off) {
    Traffic traffic = traffic_of(milliseconds(1));
    StaticFlow flow = flow_of(0, 2);
    flow.arrivals = arrivals;
    flow.rate = 0.5;
    flow.on = on;
    flow.off = off;
    traffic.flows.push_back(flow);
    return simulate_run(chain, traffic, equal_links()).created;
  };
  // One packet for each 4.352 us of the 100 us in which the flow sends; the last one at 95.744 us.
  CHECK(created(Arrivals::regular, microseconds(10), microseconds(90)) == 23);
  // A backlogged source sends five packets in each 10 us; the fifth begins at 8.704 us.
  CHECK(created(Arrivals::backlogged, microseconds(10), microseconds(90)) == 50);
  // Both lengths must be set or neither.
  CHECK_THROWS_WITH(created(Arrivals::backlogged, 0, microseconds(90)),
                    Catch::Contains("two lengths above 0"));
  CHECK_THROWS_WITH(created(Arrivals::backlogged, microseconds(10), 0),
                    Catch::Contains("two lengths above 0"));
}
