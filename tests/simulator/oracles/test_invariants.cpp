// Oracles that hold for all fabrics, traffic and models.

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/random.h"
#include "congestion/profiles.h"
#include "tests/simulator/oracles/simulated.h"

namespace pssp {
namespace {

using namespace test;

struct RandomCase {
  Traffic traffic;
  Model model;
  bool congestion = false;

  RandomCase(std::uint32_t hosts, SplitMix64& random) {
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    traffic = traffic_of(microseconds(100 + static_cast<std::int64_t>(below(200))));
    traffic.packet_bytes = static_cast<std::uint32_t>(64 + below(4000));
    const std::uint32_t credits = (traffic.packet_bytes + 63) / 64;
    model.buffer_credits = credits + static_cast<std::uint32_t>(below(4 * credits));
    model.lanes = static_cast<std::uint32_t>(1 + below(3));
    if (model.lanes == 2) model.lane_weights = {3, 1};
    model.host_rate = LinkRate{4, 2000};
    model.link_rate = LinkRate{4, static_cast<std::uint32_t>(below(2) == 0 ? 2000 : 8000)};
    model.speedup = static_cast<std::uint32_t>(below(3));
    model.switching = static_cast<Switching>(below(3));
    model.becn = below(2) == 0 ? BecnDelivery::in_band : BecnDelivery::ideal;
    model.becn_delay = static_cast<SimulatedTime>(below(2) * 300'000);
    model.becn_bytes = std::min<std::uint32_t>(64, traffic.packet_bytes);
    if (below(4) == 0) model.sink_rate = 3e8;
    congestion = below(2) == 0;
    add_traffic(hosts, random);
  }

  void add_traffic(std::uint32_t hosts, SplitMix64& random) {
    const auto below = [&](std::uint64_t bound) {
      return static_cast<std::uint32_t>(random() % bound);
    };
    const auto two_hosts = [&] {
      const std::uint32_t source = below(hosts);
      return Flow{source, (source + 1 + below(hosts - 1)) % hosts};
    };
    for (std::uint32_t i = below(5); i > 0; --i) {
      StaticFlow flow;
      flow.hosts = two_hosts();
      flow.start = below(20'000'000);
      flow.arrivals = static_cast<Arrivals>(below(3));
      flow.rate = .1 + .1 * below(9);
      flow.level = static_cast<std::uint8_t>(below(3));
      if (below(2) == 0) flow.bytes = 1 + below(100'000);
      if (below(2) == 0) flow.on = flow.off = 7'000'000;
      traffic.flows.push_back(flow);
    }
    if (below(2) == 0) {
      UniformTraffic uniform;
      for (std::uint32_t rank = 0; rank < hosts; ++rank) uniform.destinations.push_back(rank);
      uniform.senders = uniform.destinations;
      uniform.message_packets = 1 + below(12);
      uniform.messages = 1 + below(3);
      uniform.arrivals = static_cast<Arrivals>(below(3));
      uniform.rate = .5;
      traffic.uniform.push_back(uniform);
    }
    RoundTraffic rounds;
    rounds.bytes = 1 + below(20'000);
    for (std::uint32_t r = below(3); r > 0; --r) {
      rounds.rounds.push_back({two_hosts(), two_hosts(), two_hosts()});
    }
    traffic.rounds.push_back(rounds);
    for (std::uint32_t m = 0; m < below(6); ++m) {
      traffic.trace.push_back({m * 9'000'000, two_hosts(), 1U + below(9'000), 2});
    }
  }
};

bool same(const Outcome& a, const Outcome& b) {
  bool equal = a.end == b.end && a.simulated == b.simulated && a.events == b.events &&
               a.created == b.created && a.delivered == b.delivered && a.marks == b.marks &&
               a.becns == b.becns && a.bytes_by_sample == b.bytes_by_sample &&
               a.flow_bytes_by_sample == b.flow_bytes_by_sample && a.latencies == b.latencies &&
               a.round_ends == b.round_ends && a.deadlock == b.deadlock &&
               a.ports.size() == b.ports.size();
  for (std::size_t i = 0; equal && i < a.ports.size(); ++i) {
    equal = a.ports[i].sent_bytes == b.ports[i].sent_bytes &&
            a.ports[i].blocked == b.ports[i].blocked &&
            a.ports[i].congested == b.ports[i].congested &&
            a.ports[i].max_queue_bytes == b.ports[i].max_queue_bytes;
  }
  return equal;
}

}  // namespace

// At the end of each run, simulate() recounts the credits of all ports and all packets. It fails if
// one is missing or if packets of a flow arrive out of order.
TEST_CASE("oracles 9 and 16: no packet is lost, and a run depends only on its inputs") {
  const CongestionParameters set = load_congestion_parameters("thesis-start");
  SplitMix64 random(42);
  for (int i = 0; i < 200; ++i) {
    const auto switches = 3 + random() % 6;
    const std::string topology = fmt::format("random-regular {} --degree 2 --hosts {} --seed {}",
                                             switches, 1 + random() % 3, i + 1);
    const RoutedNetwork fabric = routed(topology, i % 2 == 0 ? "pssp" : "updown");
    const auto hosts = static_cast<std::uint32_t>(fabric.fabric.endpoints().size());
    const RandomCase each(hosts, random);
    CAPTURE(i, topology);
    RunRequest request;
    request.seed = static_cast<std::uint64_t>(i);
    const auto run = [&] {
      return simulate(fabric.fabric, fabric.tables, nullptr, each.traffic, each.model,
                      each.congestion ? &set : nullptr, request);
    };
    const Outcome first = run();
    CHECK(first.created == first.delivered + first.in_flight);
    for (std::size_t f = 0; f < each.traffic.flows.size(); ++f) {
      const StaticFlow& flow = each.traffic.flows[f];
      if (flow.bytes != 0) CHECK(first.flows[f].delivered_bytes <= flow.bytes);
      if (first.end == RunEnd::all_delivered && flow.bytes != 0) {
        CHECK(first.flows[f].delivered_bytes == flow.bytes);
      }
    }
    if (i % 4 != 0) continue;
    request.events = EventOrder::heap;
    CHECK(same(first, run()));
  }
}

TEST_CASE("oracle 10: congestion control without effect does not change the throughput") {
  const RoutedNetwork mesh = thesis_mesh(3);
  Traffic traffic = traffic_of(milliseconds(5));
  for (const char* from : {"H112", "H211", "H121"})
    traffic.flows.push_back(mesh.flow(from, "H221"));
  UniformTraffic others;
  for (std::uint32_t rank = 0; rank < 18; ++rank) others.destinations.push_back(rank);
  others.senders = {12, 13, 14, 15, 16, 17};
  traffic.uniform.push_back(others);
  Model model = thesis_model();
  model.becn = BecnDelivery::ideal;
  const Outcome off = simulate_run(mesh, traffic, model);
  const CongestionParameters full = load_congestion_parameters("thesis-start");
  CongestionParameters no_marks = full;
  no_marks.switches.threshold = 0;
  CongestionParameters no_increase = full;
  for (AdapterSlParameters& level : no_increase.adapters.sl) level.ccti_increase = 0;
  CongestionParameters no_delay = full;
  no_delay.table.entries = {CctEntry{}};
  for (const CongestionParameters* set : {&no_marks, &no_increase, &no_delay}) {
    const Outcome on = simulate_run(mesh, traffic, model, set);
    CHECK(on.bytes_by_sample == off.bytes_by_sample);
    CHECK(on.flow_bytes_by_sample == off.flow_bytes_by_sample);
    CHECK((set == &no_marks) == (on.becns == 0));
  }
}

}  // namespace pssp
