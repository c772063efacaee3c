// Tests fabrics that change during a run: exact times of single packets, comparison with the
// transient states of evaluator/rerouting, and random damage.

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "applications/generators/applications.h"
#include "base/error.h"
#include "base/random.h"
#include "congestion/profiles.h"
#include "evaluator/rerouting/transient_states.h"
#include "routing/engines/engine.h"
#include "routing/verify/verify.h"
#include "simulator/run/outcome_words.h"
#include "tests/simulator/oracles/simulated.h"
#include "topologies/survivors.h"

namespace pssp {
namespace {

using namespace test;

constexpr SimulatedTime ns = picoseconds_per_nanosecond;
constexpr std::int64_t packet_ns = 2176;  // on links of 1 GByte/s
constexpr std::int64_t hop_ns = 5 + 8 + 100;
constexpr std::int64_t alone_ns = packet_ns + 4 * 5 + 3 * (8 + 100);  // through three switches

LaterState state_at(SimulatedTime time, const RoutedNetwork& network) {
  return {time, {network.fabric, network.tables}};
}

Outcome simulate_with(const RoutedNetwork& first, const LaterStates& later, const Traffic& traffic,
                      const Model& model = equal_links(),
                      const CongestionParameters* congestion = nullptr,
                      EventOrder events = EventOrder::calendar) {
  RunRequest request;
  request.later = &later;
  request.events = events;
  return simulate(first.fabric, first.tables, nullptr, traffic, model, congestion, request);
}

/// The network without these channels, routed by the engine.
RoutedNetwork without(const RoutedNetwork& whole, std::span<const ChannelId> channels,
                      std::string_view engine) {
  Fabric fabric = survivors(whole.fabric, {}, channels);
  ForwardingTables tables = make_engine(engine, {})->route(fabric).tables;
  return {std::move(fabric), std::move(tables)};
}

/// The network without `count` random cables, chosen so that no host is cut off.
RoutedNetwork without_cables(const RoutedNetwork& whole, unsigned count, RandomGenerator& random,
                             std::string_view engine) {
  for (;;) {
    std::vector<ChannelId> gone;
    for (unsigned i = 0; i < count; ++i) {
      gone.emplace_back(random.below(static_cast<std::uint32_t>(whole.fabric.channel_count())));
    }
    RoutedNetwork damaged = without(whole, gone, engine);
    if (verify(damaged.fabric, damaged.tables).unreachable_pairs == 0) return damaged;
  }
}

/// Three switches in a row with one host each: ranks 0, 1, 2.
struct Chain {
  RoutedNetwork whole = routed("mesh 3 --hosts 1 --lids", "meshdor");
  RoutedNetwork cut = without_second_cable();

  RoutedNetwork without_second_cable() const {
    for (std::uint32_t c = 0; c < whole.fabric.channel_count(); ++c) {
      const ChannelId channel(c);
      const std::uint32_t ends = whole.fabric.channel_tail()[c] + whole.fabric.channel_head()[c];
      if (ends == 3) return without(whole, {&channel, 1}, "updown");
    }
    throw std::runtime_error("no cable joins the second switch and the third");
  }
};

Traffic packets_to_end(std::uint64_t packets) {
  Traffic traffic = traffic_of(milliseconds(10));
  traffic.flows.push_back(flow_of(0, 2));
  traffic.flows.front().bytes = packets * 2176;
  return traffic;
}

}  // namespace

TEST_CASE("a lost packet is sent again after the timeout, at the exact time") {
  const Chain chain;
  const auto finished = [&](std::int64_t fails_ns, std::int64_t tables_ns, LossCounts& losses) {
    LaterStates later;
    later.states.push_back(state_at(fails_ns * ns, chain.cut));
    later.states.front().tables_after = tables_ns * ns;
    later.states.push_back(state_at(1000 * ns, chain.whole));
    later.retry.timeout = 3000 * ns;
    const Outcome outcome = simulate_with(chain.whole, later, packets_to_end(1));
    losses = outcome.losses;
    CHECK(outcome.flows.front().delivered_packets == 1);
    CHECK(losses.packets() == 1);
    CHECK(losses.repeats == 1);
    CHECK(losses.recovered == outcome.flows.front().finished);
    return outcome.flows.front().finished;
  };
  LossCounts losses;
  // The header arrives at the second switch after two hops, and the cable there is missing.
  CHECK(finished(10, 900, losses) == (2 * hop_ns + 3000 + alone_ns) * ns);
  CHECK(losses.without_route == 1);
  CHECK(losses.first_lost == 2 * hop_ns * ns);
  // With the new tables, the first switch already has no route.
  CHECK(finished(10, 0, losses) == (hop_ns + 3000 + alone_ns) * ns);
  CHECK(losses.without_route == 1);
  // The packet is on the cable and would arrive at the third switch after three hops.
  CHECK(finished(2 * hop_ns + 4, 0, losses) == (3 * hop_ns + 3000 + alone_ns) * ns);
  CHECK(losses.on_links == 1);
  // Its head has reached the third switch but its tail has not: the host discards the incomplete
  // packet.
  CHECK(finished(3 * hop_ns + 50, 0, losses) == (alone_ns + 3000 + alone_ns) * ns);
  CHECK(losses.on_links == 1);
}

TEST_CASE("the next packet reveals a loss to the receiver, which notifies the sender") {
  const Chain chain;
  LaterStates later;
  later.states.push_back(state_at(2 * hop_ns * ns + 4 * ns, chain.cut));
  later.states.push_back(state_at(1000 * ns, chain.whole));
  const Outcome outcome = simulate_with(chain.whole, later, packets_to_end(2));
  // The second packet has arrived at `second_in`. The notification takes three hops and a cable;
  // then both packets are sent again.
  const std::int64_t second_in = packet_ns + alone_ns;
  CHECK(outcome.flows.front().finished == (second_in + 3 * hop_ns + 5 + packet_ns + alone_ns) * ns);
  CHECK(outcome.losses.on_links == 1);
  CHECK(outcome.losses.not_taken == 1);
  CHECK(outcome.losses.repeats == 1);
  CHECK(outcome.created == 4);
  CHECK(outcome.delivered == 2);
  CHECK(outcome.in_flight == 0);
}

TEST_CASE("a sender whose packets never arrive gives up and reports it") {
  const Chain chain;
  LaterStates later;
  later.states.push_back(state_at(10 * ns, chain.cut));
  later.retry = {.timeout = 3000 * ns, .retries = 2};
  const Outcome outcome = simulate_with(chain.whole, later, packets_to_end(1));
  CHECK(outcome.flows.front().finished == never);
  CHECK(outcome.flows.front().gave_up);
  CHECK(outcome.losses.repeats == 2);
  CHECK(outcome.losses.given_up == 1);
  CHECK(outcome.losses.without_route == 3);
  CHECK(outcome.end == RunEnd::all_delivered);
  CHECK(outcome.simulated == 3 * (hop_ns + 3000) * ns);
}

TEST_CASE("a host whose cable fails continues to send when the cable is back") {
  const RoutedNetwork whole = routed("mesh 3 --hosts 2 --lids", "meshdor");
  constexpr std::uint32_t gone = 3;
  const EndPortId port = whole.fabric.endpoints()[gone];
  Fabric fabric = survivors(whole.fabric, {}, {}, {&port, 1});
  ForwardingTables tables = make_engine("meshdor", {})->route(fabric).tables;
  const RoutedNetwork without_host{std::move(fabric), std::move(tables)};
  Traffic traffic = traffic_of(milliseconds(10));
  traffic.flows = {flow_of(gone, 0)};
  traffic.flows.front().bytes = 100'000;
  const SimulatedTime undisturbed =
      simulate_run(whole, traffic, equal_links()).flows.front().finished;
  LaterStates later;
  later.states.push_back(state_at(20'000 * ns, without_host));
  later.states.push_back(state_at(50'000 * ns, whole));
  later.retry.timeout = 5000 * ns;
  const Outcome outcome = simulate_with(whole, later, traffic);
  REQUIRE(outcome.flows.front().finished != never);
  // The host pauses for 30 us and loses only packets that were in transit.
  CHECK(outcome.losses.packets() <= 3);
  CHECK(outcome.flows.front().finished >= undisturbed + 28'000 * ns);
  CHECK(outcome.flows.front().finished <= undisturbed + 45'000 * ns);
}

TEST_CASE(
    "a packet with the reused number of a lost packet is not dropped with that packet's tail") {
  const RoutedNetwork whole = routed("mesh 3 --hosts 2 --lids", "meshdor");
  ChannelId cable;
  for (std::uint32_t c = 0; c < whole.fabric.channel_count(); ++c) {
    if (whole.fabric.channel_tail()[c] + whole.fabric.channel_head()[c] == 3) cable = ChannelId(c);
  }
  const RoutedNetwork cut = without(whole, {&cable, 1}, "updown");
  const EndPortId host = whole.fabric.endpoints()[0];
  Fabric fabric = survivors(whole.fabric, {}, {&cable, 1}, {&host, 1});
  ForwardingTables tables = make_engine("updown", {})->route(fabric).tables;
  const RoutedNetwork without_host{std::move(fabric), std::move(tables)};
  // The first packet is lost with its header at the first switch. Its tail needs 2 us more. During
  // this time a host on another switch starts to send, and the cable of the first host fails.
  Traffic traffic = traffic_of(milliseconds(1));
  traffic.flows = {flow_of(0, 5), flow_of(2, 3, 200 * ns)};
  for (StaticFlow& flow : traffic.flows) flow.bytes = 2176;
  LaterStates later;
  later.states.push_back(state_at(10 * ns, cut));
  later.states.push_back(state_at(300 * ns, without_host));
  later.retry.timeout = microseconds(10);
  const Outcome outcome = simulate_with(whole, later, traffic);
  CHECK(outcome.losses.without_route == 1);
  CHECK(outcome.flows[1].finished == (200 + packet_ns + 2 * 5 + 8 + 100) * ns);
}

TEST_CASE("a change to an identical fabric does not affect the outcome") {
  const RoutedNetwork tree = routed("k-ary-n-tree 4 2 --lids", "pssp");
  Traffic traffic = traffic_of(microseconds(300), microseconds(50));
  traffic.flows = {flow_of(0, 9), flow_of(1, 9), flow_of(3, 14)};
  traffic.flows[2].bytes = 100'000;
  UniformTraffic uniform;
  uniform.senders = {2, 4, 5, 6, 7, 8, 10, 11};
  uniform.destinations = uniform.senders;
  traffic.uniform.push_back(uniform);
  const CongestionParameters congestion = load_congestion_parameters("thesis-mesh");
  LaterStates later;
  later.states.push_back(state_at(microseconds(100), tree));
  later.states.push_back(state_at(microseconds(200), tree));
  const CongestionParameters* const none = nullptr;
  for (const CongestionParameters* const set : {&congestion, none}) {
    Outcome still = simulate_run(tree, traffic, equal_links(), set);
    Outcome changed = simulate_with(tree, later, traffic, equal_links(), set);
    CHECK(changed.events == still.events + 2);
    changed.events = still.events;
    std::vector<std::uint64_t> expected, found;
    add_words(still, expected);
    add_words(changed, found);
    CHECK(found == expected);
  }
}

TEST_CASE("flows without a route before the new tables are lost, as TransientStates counts") {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    const std::string spec = "k-ary-n-tree 4 2 --lids --permute-ports --shuffle-guids --seed 7";
    const RoutedNetwork whole = routed(spec, "pssp");
    RandomGenerator random = random_stream(seed, 1, 1);
    const RoutedNetwork damaged = without_cables(whole, 3, random, "pssp");
    const FabricChange change(whole.fabric, damaged.fabric);
    const RoutedState before{whole.fabric, whole.tables};
    const RoutedState after{damaged.fabric, damaged.tables};
    const ForwardingTables old_tables = tables_before_writing(change, before, after);
    const std::vector<BlockWrite> writes = table_changes(old_tables, after).writes;
    const OrderImpact impact =
        TransientStates({damaged.fabric, old_tables, damaged.tables}).impact_of(writes);

    Traffic traffic = traffic_of(milliseconds(1));
    for (std::uint32_t from = 0; from < 16; ++from) {
      for (std::uint32_t to = 0; to < 16; ++to) {
        if (from == to) continue;
        traffic.flows.push_back(flow_of(from, to, microseconds(100)));
        traffic.flows.back().bytes = 100;
      }
    }
    LaterStates later;
    later.states.push_back(state_at(microseconds(50), damaged));
    later.states.front().tables_after = milliseconds(2);
    later.retry.timeout = milliseconds(5);
    const Outcome outcome = simulate_with(whole, later, traffic);
    const auto missing = static_cast<std::uint64_t>(std::ranges::count(
        outcome.flows, never, [](const FlowOutcome& flow) { return flow.finished; }));
    CHECK(missing == impact.no_route.at_first);
    CHECK(outcome.losses.without_route == missing);
    CHECK(missing > 0);
  }
}

TEST_CASE("no packet crosses a failed link, not even packets queued for it") {
  std::size_t had_queues = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomGenerator random = random_stream(seed, 3, 1);
    const RoutedNetwork whole =
        routed("k-ary-n-tree 4 2 --lids --permute-ports --seed " + std::to_string(seed), "pssp");
    const RoutedNetwork damaged = without_cables(whole, 3, random, "pssp");
    const FabricChange change(whole.fabric, damaged.fabric);
    // Measurement begins with the failure; hot spots keep the queues long.
    Traffic traffic = traffic_of(microseconds(200), microseconds(100));
    for (std::uint32_t host = 0; host < 16; ++host) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        const auto hot = static_cast<std::uint32_t>((seed + 5 * i) % 16);
        if (host != hot) traffic.flows.push_back(flow_of(host, hot));
      }
    }
    LaterStates later;
    later.states.push_back(state_at(microseconds(100), damaged));
    const Outcome outcome = simulate_with(whole, later, traffic);
    CHECK(outcome.losses.packets() > 0);
    for (std::uint32_t c = 0; c < whole.fabric.channel_count(); ++c) {
      if (change.channel_after()[c] != FabricChange::gone) continue;
      CHECK(outcome.ports[c].sent_bytes == 0);
      had_queues += outcome.ports[c].max_queue_bytes > 0 ? 1U : 0U;
    }
  }
  CHECK(had_queues > 0);
}

TEST_CASE("all finite flows arrive completely for random failures and repairs") {
  std::uint64_t lost = 0;
  std::uint64_t repeated = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    RandomGenerator random = random_stream(seed, 2, 3);
    const char* const kinds[] = {"k-ary-n-tree 4 2", "xgft 4,4 1,3 --parallel 2",
                                 "full-mesh 5 --hosts 3", "director 24"};
    const std::string spec = std::string(kinds[seed % 4]) +
                             " --lids --permute-ports --shuffle-guids --seed " +
                             std::to_string(seed);
    const char* const engine = seed % 3 == 0 ? "updown" : "pssp";
    const RoutedNetwork whole = routed(spec, engine);
    const RoutedNetwork damaged = without_cables(whole, 1 + random.below(3), random, engine);
    Traffic traffic = traffic_of(milliseconds(50));
    const auto hosts = static_cast<std::uint32_t>(whole.fabric.endpoints().size());
    for (unsigned i = 0; i < 30; ++i) {
      const std::uint32_t from = random.below(hosts);
      const std::uint32_t to = (from + 1 + random.below(hosts - 1)) % hosts;
      traffic.flows.push_back(flow_of(from, to, random.below(100) * 1000 * ns));
      traffic.flows.back().bytes = 1 + random.below(200'000);
    }
    RoundTraffic rounds;
    rounds.bytes = 10'000;
    for (std::uint32_t round = 1; round < 4; ++round) {
      std::vector<Flow>& flows = rounds.rounds.emplace_back();
      for (std::uint32_t r = 0; r < hosts; ++r) flows.push_back({r, (r + round) % hosts});
    }
    traffic.rounds.push_back(rounds);
    LaterStates later;
    later.states.push_back(state_at((20'000 + random.below(60'000)) * ns, damaged));
    later.states.push_back(state_at(400'000 * ns, whole));
    for (LaterState& state : later.states) {
      state.tables_after = random.below(50'000) * ns;
      state.spread_over = random.below(20'000) * ns;
    }
    later.retry.timeout = (20'000 + random.below(60'000)) * ns;
    const CongestionParameters congestion = load_congestion_parameters("thesis-mesh");
    const CongestionParameters* const set = seed % 2 == 0 ? &congestion : nullptr;
    const Outcome outcome = simulate_with(whole, later, traffic, equal_links(), set);
    CHECK(outcome.end == RunEnd::all_delivered);
    for (const FlowOutcome& flow : outcome.flows) {
      CHECK(flow.finished != never);
      CHECK(flow.delivered_bytes == flow.end_bytes);
    }
    CHECK(std::ranges::count(outcome.round_ends, never) == 0);
    CHECK(outcome.created == outcome.delivered + outcome.losses.packets());
    CHECK(outcome.losses.given_up == 0);
    lost += outcome.losses.on_links + outcome.losses.without_route;
    repeated += outcome.losses.repeats;

    std::vector<std::uint64_t> calendar, heap;
    add_words(outcome, calendar);
    add_words(simulate_with(whole, later, traffic, equal_links(), set, EventOrder::heap), heap);
    CHECK(calendar == heap);
  }
  CHECK(lost > 500);
  CHECK(repeated > 100);
}

TEST_CASE("packets that loop while tables are written arrive when the tables are complete") {
  // A ring of six switches that loses a cable, which reverses the direction of some routes. While
  // the tables are written, some switches send in one direction and some in the other.
  const RoutedNetwork ring = routed("torus 6 --hosts 1 --lids", "updown");
  RandomGenerator random = random_stream(2, 1, 1);
  const RoutedNetwork turned = without_cables(ring, 1, random, "updown");
  Traffic traffic = traffic_of(milliseconds(10));
  for (std::uint32_t r = 0; r < 6; ++r) {
    traffic.flows.push_back(flow_of(r, (r + 3) % 6));
    traffic.flows.back().bytes = 40'000;
  }
  LaterStates later;
  later.states.push_back(state_at(microseconds(20), turned));
  later.states.front().spread_over = microseconds(60);
  later.retry.timeout = microseconds(50);
  const Outcome outcome = simulate_with(ring, later, traffic);
  CHECK(outcome.end == RunEnd::all_delivered);
  for (const FlowOutcome& flow : outcome.flows) CHECK(flow.finished != never);
}

}  // namespace pssp
