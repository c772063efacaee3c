// Oracles for marking and injection control in the network.

#include <catch2/catch.hpp>

#include "congestion/injection_delay.h"
#include "congestion/profiles.h"
#include "tests/simulator/oracles/simulated.h"

namespace pssp {
namespace {

using namespace test;

/// n hosts and their receiver at one switch. The port to the receiver is the root of the
/// congestion.
struct Root {
  RoutedNetwork fabric;
  Traffic traffic;
  std::uint32_t port;

  Root(unsigned n, SimulatedTime duration, SimulatedTime warmup)
      : fabric(routed("full-mesh 2 --hosts " + std::to_string(n + 1), "pssp")),
        traffic(traffic_of(duration, warmup)),
        port(static_cast<std::uint32_t>(fabric.fabric.channel_count())) {
    const Fabric& f = fabric.fabric;
    const SwitchId first_leaf = f.end_port(f.endpoints()[0]).attached;
    for (std::uint32_t rank = 1; rank < f.endpoints().size(); ++rank) {
      if (f.end_port(f.endpoints()[rank]).attached == first_leaf) {
        traffic.flows.push_back(flow_of(rank, 0));
      }
    }
  }
};

CongestionParameters start_set() { return load_congestion_parameters("thesis-start"); }

std::uint64_t packets_of(const Outcome& outcome) {
  std::uint64_t all = 0;
  for (const FlowOutcome& flow : outcome.flows) all += flow.delivered_packets;
  return all;
}

}  // namespace

TEST_CASE("oracle 12: contributors are throttled if BECNs come faster than the timer expires") {
  CongestionParameters set = start_set();
  set.switches.victim_mask = {};
  const double timer = 20 * 1.024;
  for (const unsigned n : {2U, 3U, 4U, 6U, 8U, 12U, 16U}) {
    for (std::uint16_t q = 1; q <= 4; ++q) {
      const double ratio = q * n * 2.176 / timer;
      if (ratio >= .9 && ratio <= 1.1) continue;
      for (AdapterSlParameters& level : set.adapters.sl) level.ccti_timer = 20;
      set.switches.marking_rate = static_cast<std::uint16_t>(q - 1);
      const Root root(n, milliseconds(30), milliseconds(20));
      Model model = equal_links();
      model.root = RootTest::credits;
      model.becn = BecnDelivery::ideal;
      const Outcome outcome = simulate_run(root.fabric, root.traffic, model, &set);
      const PortOutcome& port = outcome.ports[root.port];
      const double marked =
          static_cast<double>(port.marks) / static_cast<double>(packets_of(outcome));
      CAPTURE(n, q, ratio, marked, port.congested);
      if (ratio < .9) {
        CHECK(port.congested < milliseconds(10));
        CHECK(marked < 1. / q);
      } else {
        CHECK(port.congested == milliseconds(10));
        CHECK(marked == Approx(1. / q).epsilon(.001));
        CHECK(outcome.delivered_bytes == Approx(1e7).epsilon(.001));
      }
    }
  }
}

TEST_CASE("oracle 13: a flow with a fixed index gets 1 / (1 + delay) of the link") {
  const RoutedNetwork pair = routed("mesh 2 --hosts 1", "meshdor");
  CongestionParameters set = start_set();
  for (std::size_t i = 0; i < set.table.entries.size(); ++i) {
    for (AdapterSlParameters& level : set.adapters.sl) {
      level.ccti_min = static_cast<std::uint8_t>(i);
    }
    // A byte takes one nanosecond. The warm-up excludes the time until the first packets arrive.
    const auto period =
        static_cast<SimulatedTime>(2'176'000 * (1 + delay_in_packets(set.table.entries[i])));
    Traffic traffic = traffic_of(1010 * period, 10 * period);
    traffic.flows = {flow_of(0, 1)};
    const Outcome outcome = simulate_run(pair, traffic, equal_links(), &set);
    const double share =
        static_cast<double>(outcome.delivered_bytes) / (static_cast<double>(1000 * period) * 1e-3);
    CAPTURE(i, outcome.delivered);
    CHECK(share == Approx(share_of_link(delay_in_packets(set.table.entries[i]))).epsilon(0.001));
  }
}

TEST_CASE("oracle 15: in saturation exactly one of q packets is marked, and small packets never") {
  CongestionParameters set = start_set();
  for (AdapterSlParameters& level : set.adapters.sl) level.ccti_increase = 0;
  Model model = equal_links();
  model.root = RootTest::any;
  model.becn = BecnDelivery::ideal;
  for (const Marking marking : {Marking::every_nth, Marking::unmarked_between}) {
    for (const std::uint8_t rate :
         {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{7}, std::uint8_t{100}}) {
      model.marking = marking;
      set.switches.marking_rate = rate;
      const unsigned q = marking == Marking::every_nth ? std::max<unsigned>(1, rate) : rate + 1U;
      const Root root(4, milliseconds(10), milliseconds(2));
      const Outcome outcome = simulate_run(root.fabric, root.traffic, model, &set);
      const std::uint64_t packets = packets_of(outcome);
      CAPTURE(rate, q, packets);
      CHECK(outcome.marks <= packets / q + 1);
      CHECK(outcome.marks + 1 >= packets / q);
    }
  }
  set.switches.marking_rate = 0;
  set.switches.packet_size = 34;
  const Root exact(4, milliseconds(5), 0);
  CHECK(simulate_run(exact.fabric, exact.traffic, model, &set).marks > 0);
  set.switches.packet_size = 35;
  CHECK(simulate_run(exact.fabric, exact.traffic, model, &set).marks == 0);
}

TEST_CASE("oracle 15: a port to a slow host marks packets only if it is in the victim mask") {
  CongestionParameters set = start_set();
  Model model = equal_links();
  model.root = RootTest::credits;
  model.sink_rate = 2e8;
  const Root root(4, milliseconds(10), milliseconds(5));
  set.switches.victim_mask = {};
  const Outcome off = simulate_run(root.fabric, root.traffic, model, &set);
  CHECK(off.ports[root.port].marks == 0);
  CHECK(off.delivered_bytes == Approx(1e6).epsilon(.01));
  set.switches.victim_mask.host_facing = true;
  CHECK(simulate_run(root.fabric, root.traffic, model, &set).ports[root.port].marks > 0);
}

TEST_CASE("oracle 20: an index belongs to a queue pair or to a service level, as configured") {
  const RoutedNetwork mesh = thesis_mesh(3);
  Model model = thesis_model();
  model.root = RootTest::any;
  model.marking = Marking::every_nth;
  CongestionParameters by_pair = start_set();
  CongestionParameters by_level = by_pair;
  by_level.adapters.port_control = CongestionScope::service_level;
  Traffic traffic = traffic_of(milliseconds(20), milliseconds(5));
  for (const char* from : {"H112", "H211", "H121"})
    traffic.flows.push_back(mesh.flow(from, "H221"));
  const Outcome pair = simulate_run(mesh, traffic, model, &by_pair);
  CHECK(pair.bytes_by_sample == simulate_run(mesh, traffic, model, &by_level).bytes_by_sample);

  // H211 also sends to a host on its own switch, to which no other host sends.
  traffic.flows.push_back(mesh.flow("H211", "H212"));
  const std::vector<double> apart = shares(simulate_run(mesh, traffic, model, &by_pair), traffic);
  const std::vector<double> together =
      shares(simulate_run(mesh, traffic, model, &by_level), traffic);
  CHECK(apart[1] + apart[3] > .95);
  CHECK(apart[3] > .6);
  CHECK(together[3] < .6);
  CHECK(together[1] + together[3] < .9);
}

TEST_CASE(
    "oracle 21: ideal BECN delivery gives at least 97 % of the throughput of delivery in band") {
  const RoutedNetwork mesh = thesis_mesh(3);
  const CongestionParameters set = start_set();
  Traffic traffic = traffic_of(milliseconds(30), milliseconds(10));
  for (const char* from : {"H112", "H211", "H121"})
    traffic.flows.push_back(mesh.flow(from, "H221"));
  traffic.flows.push_back(mesh.flow("H111", "H121"));
  Model model = thesis_model();
  model.root = RootTest::any;
  const Outcome in_band = simulate_run(mesh, traffic, model, &set);
  model.becn = BecnDelivery::ideal;
  const Outcome ideal = simulate_run(mesh, traffic, model, &set);
  CHECK(static_cast<double>(ideal.delivered_bytes) >=
        .97 * static_cast<double>(in_band.delivered_bytes));
}

}  // namespace pssp
