// Oracles for links and switches without congestion control.

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/simulator/oracles/simulated.h"

namespace pssp {
namespace {

using namespace test;

constexpr std::int64_t packet_ns = 2176;  // on links of 1 GByte/s

}  // namespace

TEST_CASE("oracle 1: a single flow gets its link rate, its first packet the sum of the delays") {
  const RoutedNetwork chain = routed("mesh 3 --hosts 1", "meshdor");
  Traffic traffic = traffic_of(milliseconds(1));
  traffic.flows.push_back(flow_of(0, 2));
  const Outcome long_run = simulate_run(chain, traffic, equal_links());
  const double expected = static_cast<double>(milliseconds(1)) / (1e3 * packet_ns);
  CHECK(std::abs(static_cast<double>(long_run.delivered) - expected) <= 4);

  // Three switches with 8 ns for the header and 100 ns each, four links of 5 ns, and one whole
  // packet.
  const SimulatedTime exact = (packet_ns + 4 * 5 + 3 * (8 + 100)) * picoseconds_per_nanosecond;
  traffic.flows.front().bytes = 2176;
  const Outcome one = simulate_run(chain, traffic, equal_links());
  CHECK(one.end == RunEnd::all_delivered);
  CHECK(one.flows.front().finished == exact);
  CHECK(one.latencies.count == 1);
  CHECK(one.latencies.mean() == static_cast<double>(exact));

  // Store and forward: four times the packet, and no time for headers.
  Model stored = equal_links();
  stored.switching = Switching::store_and_forward;
  CHECK(simulate_run(chain, traffic, stored).flows.front().finished ==
        (4 * packet_ns + 4 * 5) * picoseconds_per_nanosecond);

  // A packet is forwarded to a faster link when its tail has arrived, and to a slower link at once.
  CHECK(simulate_run(chain, traffic, thesis_model()).flows.front().finished ==
        ((packet_ns + 5) + (5 + 2 + 100) + (5 + 2 + 100) + (packet_ns + 5)) *
            picoseconds_per_nanosecond);

  // cut_through_always forwards the header at once to faster links too.
  Model always = thesis_model();
  always.switching = Switching::cut_through_always;
  CHECK(simulate_run(chain, traffic, always).flows.front().finished ==
        ((5 + 8 + 100) + (5 + 2 + 100) + (5 + 2 + 100) + (packet_ns + 5)) *
            picoseconds_per_nanosecond);
}

TEST_CASE("oracle 1: a faster link waits for the tail of a packet that cuts through") {
  const RoutedNetwork pair = routed("full-mesh 2 --hosts 2", "pssp");
  const auto at = [&](std::uint32_t rank) {
    return pair.fabric.end_port(pair.fabric.endpoints()[rank]).attached;
  };
  std::vector<std::uint32_t> near, far;
  for (std::uint32_t rank = 0; rank < 4; ++rank) (at(rank) == at(0) ? near : far).push_back(rank);
  REQUIRE(near.size() == 2);
  // The second flow starts 10 ns later, and both flows need the link between the switches.
  Traffic traffic = traffic_of(milliseconds(1));
  traffic.flows = {flow_of(near[0], far[0]),
                   flow_of(near[1], far[1], 10 * picoseconds_per_nanosecond)};
  for (StaticFlow& flow : traffic.flows) flow.bytes = 2176;
  const auto second = [&](Switching switching) {
    Model model = thesis_model();
    model.switching = switching;
    return simulate_run(pair, traffic, model).flows[1].finished / picoseconds_per_nanosecond;
  };
  // The first packet has arrived at 2181 ns and then takes 544 ns, or it occupies the link until
  // 2181 ns.
  CHECK(second(Switching::cut_through) == 2181 + 544 + (5 + 2 + 100) + (2176 + 5));
  CHECK(second(Switching::cut_through_always) == 2181 + (5 + 2 + 100) + (2176 + 5));
}

TEST_CASE("oracle 2: flows from separate input ports into one host get equal shares") {
  for (const unsigned flows : {2U, 5U, 70U}) {
    const RoutedNetwork star = routed("full-mesh 2 --hosts " + std::to_string(flows + 1), "pssp");
    Traffic traffic = traffic_of(milliseconds(5));
    // All hosts of the first switch except the first host send to the first host.
    const auto first_leaf = star.fabric.end_port(star.fabric.endpoints()[0]).attached;
    for (std::uint32_t rank = 1; rank < star.fabric.endpoints().size(); ++rank) {
      if (star.fabric.end_port(star.fabric.endpoints()[rank]).attached == first_leaf) {
        traffic.flows.push_back(flow_of(rank, 0));
      }
    }
    REQUIRE(traffic.flows.size() == flows);
    const Outcome outcome = simulate_run(star, traffic, equal_links());
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (const FlowOutcome& flow : outcome.flows) {
      least = std::min(least, flow.delivered_packets);
      most = std::max(most, flow.delivered_packets);
    }
    // Arbitration is round-robin: no flow is ever more than one packet ahead.
    CHECK(most - least <= 1);
    CHECK(outcome.delivered + 2 >= static_cast<std::uint64_t>(5'000'000 / packet_ns));
  }
}

TEST_CASE("oracle 3: in a parking lot, each switch halves the share of more distant senders") {
  const RoutedNetwork lot = routed("mesh 6 --hosts 2", "meshdor");
  Traffic traffic = traffic_of(milliseconds(30), milliseconds(10));
  // One sender per switch; the last switch has both the receiver and a sender.
  const std::uint32_t receiver = 11;
  for (std::uint32_t i = 0; i < 5; ++i) traffic.flows.push_back(flow_of(2 * i, receiver));
  traffic.flows.push_back(flow_of(10, receiver));
  const std::vector<double> found = shares(simulate_run(lot, traffic, equal_links()), traffic);
  double share = .5;
  for (int i = 5; i > 0; --i, share /= 2) CHECK(found[i] == Approx(share).epsilon(.01));
  CHECK(found[0] == Approx(2 * share).epsilon(.01));
}

TEST_CASE("oracle 5: congestion slows a victim on a shared lane but not on a separate lane") {
  // Hosts 0 and 1 are at the first switch, 2 and 3 at the second. Hosts 0 and 3 send to host 2.
  const RoutedNetwork pair = routed("mesh 3 --hosts 2", "meshdor");
  Traffic traffic = traffic_of(milliseconds(20), milliseconds(5));
  traffic.flows = {flow_of(0, 2), flow_of(3, 2), flow_of(1, 4)};
  Model model = equal_links();
  model.link_rate = LinkRate{4, 8000};
  const std::vector<double> one_lane = shares(simulate_run(pair, traffic, model), traffic);
  CHECK(one_lane[0] == Approx(.5).epsilon(.01));
  CHECK(one_lane[2] == Approx(one_lane[0]).epsilon(.01));

  model.lanes = 2;
  traffic.flows[2].level = 1;
  const std::vector<double> two_lanes = shares(simulate_run(pair, traffic, model), traffic);
  CHECK(two_lanes[0] == Approx(.5).epsilon(.01));
  CHECK(two_lanes[2] == Approx(1).epsilon(.005));
}

TEST_CASE("oracle 6: Poisson arrivals at one link wait as long as in an M/D/1 queue") {
  const RoutedNetwork pair = routed("mesh 2 --hosts 1", "meshdor");
  for (const double load : {.3, .6, .8, .9}) {
    std::vector<double> waits;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      // The warm-up lets the queue reach its steady length, which takes half a millisecond at a
      // load of .9.
      Traffic traffic = traffic_of(milliseconds(45), milliseconds(5));
      traffic.flows = {flow_of(0, 1)};
      traffic.flows[0].arrivals = Arrivals::poisson;
      traffic.flows[0].rate = load;
      const Outcome outcome = simulate_run(pair, traffic, equal_links(), nullptr, seed);
      const double unloaded = 1e3 * (packet_ns + 3 * 5 + 2 * 108);
      waits.push_back(outcome.latencies.mean() - unloaded);
    }
    const double mean = std::accumulate(waits.begin(), waits.end(), 0.) / 20;
    double squares = 0;
    for (const double wait : waits) squares += (wait - mean) * (wait - mean);
    const double interval = 2.09 * std::sqrt(squares / 19 / 20);
    const double expected = 1e3 * packet_ns * load / (2 * (1 - load));
    CAPTURE(load, mean, expected, interval);
    CHECK(std::abs(mean - expected) <= interval + .01 * expected);
  }
}

TEST_CASE("oracle 17: ten times the rates with a tenth of the times gives the same samples") {
  const RoutedNetwork mesh = routed("mesh 3x3 --hosts 2", "meshdor");
  const auto run = [&](std::int64_t tenth) {
    Traffic traffic = traffic_of(milliseconds(10) / tenth);
    UniformTraffic uniform;
    for (std::uint32_t rank = 0; rank < 18; ++rank) uniform.senders.push_back(rank);
    uniform.destinations = uniform.senders;
    traffic.uniform.push_back(uniform);
    traffic.flows = {flow_of(0, 8, milliseconds(2) / tenth)};
    Model model = equal_links();
    model.host_rate = LinkRate{1, static_cast<std::uint32_t>(8000 * tenth)};
    model.link_rate = LinkRate{1, static_cast<std::uint32_t>(16000 * tenth)};
    model.link_delay /= tenth;
    model.switch_delay /= tenth;
    return simulate_run(mesh, traffic, model);
  };
  const Outcome slow = run(1);
  const Outcome fast = run(10);
  CHECK(slow.bytes_by_sample == fast.bytes_by_sample);
  CHECK(slow.flow_bytes_by_sample == fast.flow_bytes_by_sample);
  CHECK(slow.events == fast.events);
}

TEST_CASE("oracle 21: larger buffers do not reduce the throughput into one host") {
  const RoutedNetwork lot = routed("mesh 4 --hosts 2", "meshdor");
  Traffic traffic = traffic_of(milliseconds(2));
  for (std::uint32_t i = 0; i < 4; ++i) traffic.flows.push_back(flow_of(2 * i, 7));
  std::uint64_t before = 0;
  for (const std::uint32_t credits : {34U, 68U, 102U, 340U, 1000U}) {
    Model model = equal_links();
    model.buffer_credits = credits;
    const std::uint64_t delivered = simulate_run(lot, traffic, model).delivered;
    CHECK(delivered + 1 >= before);
    before = delivered;
  }
}

TEST_CASE("samples cover the simulated time instead of the maximum duration") {
  const RoutedNetwork chain = routed("mesh 3 --hosts 1", "meshdor");
  Traffic traffic = traffic_of(milliseconds(4000));
  traffic.sample = milliseconds(1) / 1000;
  traffic.flows.push_back(flow_of(0, 2));
  traffic.flows.push_back(flow_of(2, 1));
  traffic.flows.front().bytes = traffic.flows.back().bytes = 21760;
  const Outcome outcome = simulate_run(chain, traffic, equal_links());
  REQUIRE(outcome.end == RunEnd::all_delivered);
  // Ten packets of 2.176 us each, plus the latency of the path.
  CHECK(outcome.bytes_by_sample.size() == 23);
  REQUIRE(outcome.flow_bytes_by_sample.size() == 2);
  for (const auto& each : outcome.flow_bytes_by_sample) {
    REQUIRE(each.size() == 23);
    CHECK(std::accumulate(each.begin(), each.end(), std::uint64_t{0}) == 21760);
  }
  // The first flow stops after half of the run, and the second flow starts too late to arrive. The
  // samples of the time without arrivals are kept.
  traffic.duration = milliseconds(1);
  traffic.flows.front().bytes = traffic.flows.back().bytes = 0;
  traffic.flows.front().stop = milliseconds(1) / 2;
  traffic.flows.back().start = milliseconds(1) - traffic.sample;
  CHECK(simulate_run(chain, traffic, equal_links()).bytes_by_sample.size() == 1000);
}

}  // namespace pssp
