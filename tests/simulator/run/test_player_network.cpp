// Tests messages simulated as packets: single messages with values calculated by hand, shared links
// in comparison with flows, and rounds of messages in comparison with simulate().

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/measure/critical_path.h"
#include "applications/replay/network_replay.h"
#include "base/error.h"
#include "congestion/profiles.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "simulator/run/player_network.h"
#include "simulator/run/simulation.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

namespace pssp {
namespace {

const Fabric& small_tree() {
  static const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  return fabric;
}
const ForwardingTables& tree_tables() {
  static const Routing routing = make_engine("pssp", {})->route(small_tree());
  return routing.tables;
}
RankPlacement every_host() {
  return {{small_tree().endpoints().begin(), small_tree().endpoints().end()}};
}

ReplayResult packet_replay(const Schedule& schedule, const MessageCosts& costs,
                           ReplayRecord* record = nullptr) {
  const Model model;
  const RankPlacement positions = every_host();
  PacketNetwork network(small_tree(), tree_tables(), model, positions.hosts);
  NetworkReplayOptions options;
  options.record = record;
  ReplayResult result = replay_on_network(schedule, costs, network, positions, options);
  CHECK(result.standing_still.empty());
  network.check_conservation();
  return result;
}

constexpr MessageCosts no_costs{.overhead = 0,
                                .overhead_per_byte = 0,
                                .gap = 0,
                                .latency = 0,
                                .gap_per_byte = 0,
                                .eager = std::uint64_t{1} << 40U};

TEST_CASE("a single message takes the time of its bytes and of the cut-through path") {
  const Schedule schedule(
      parse_goal_text("num_ranks 2\nrank 0 {\n send 1000000b to 1\n}\nrank 1 {\n"
                      " recv 1000000b from 0\n}\n",
                      "text")
          .ranks);
  // 4xQDR takes 250 ps per byte. The path has the header, two links and a switch.
  constexpr ReplayTime expected = 250'000'000 + 2 * 5'000 + 100'000 + 8 * 250;
  CHECK(packet_replay(schedule, no_costs).time == expected);
}

TEST_CASE(
    "messages that share a link take twice as long, and messages of a pair are sent in sequence") {
  const Schedule schedule(
      parse_goal_text("num_ranks 3\nrank 0 {\n send 400000b to 2 tag 1\n send 400000b to 2 tag 2\n"
                      "}\nrank 1 {\n send 400000b to 2\n}\nrank 2 {\n recv 400000b from 0 tag 1\n"
                      " recv 400000b from 0 tag 2\n recv 400000b from 1\n}\n",
                      "text")
          .ranks);
  ReplayRecord record;
  const ReplayResult result = packet_replay(schedule, no_costs, &record);
  // Both first messages arrive at 200 us. The second message then has the link alone until 300 us.
  CHECK(std::abs(static_cast<double>(record[0].arrived) - 200e6) < 2e6);
  CHECK(std::abs(static_cast<double>(record[2].arrived) - 200e6) < 2e6);
  CHECK(std::abs(static_cast<double>(result.time) - 300e6) < 1e6);
}

/// Simultaneous messages from each rank in `from` to the corresponding rank in `to`.
Schedule all_at_once(std::size_t ranks, const std::vector<std::uint32_t>& from,
                     const std::vector<std::uint32_t>& to, std::uint64_t bytes) {
  std::vector<RankSchedule> schedule(ranks);
  for (std::size_t i = 0; i < from.size(); ++i) {
    schedule[from[i]].operations.push_back({OperationKind::send, 0, 0, to[i], 0, bytes});
    schedule[to[i]].operations.push_back({OperationKind::receive, 0, 0, from[i], 0, bytes});
  }
  return Schedule(std::move(schedule));
}

/// Checks that simultaneous messages from each host in `from` to the corresponding host in `to`
/// take the same time in PacketNetwork and as one round of simulate() with the same rules. Also
/// compares the numbers of notifications.
void same_as_round(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                   const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to,
                   std::uint64_t bytes, const PacketRules& rules = {}) {
  Traffic traffic;
  traffic.duration = traffic.sample = picoseconds_per_second;
  RoundTraffic rounds;
  rounds.bytes = bytes;
  rounds.rounds.emplace_back();
  for (std::size_t i = 0; i < from.size(); ++i) rounds.rounds.front().push_back({from[i], to[i]});
  traffic.rounds.push_back(rounds);
  RunRequest request;
  request.later = rules.later;
  const Outcome outcome =
      simulate(fabric, tables, rules.levels, traffic, model, rules.congestion, request);
  REQUIRE(outcome.round_ends.size() == 1);
  REQUIRE(outcome.end == RunEnd::all_delivered);

  const std::vector<EndPortId> hosts(fabric.endpoints().begin(), fabric.endpoints().end());
  PacketNetwork network(fabric, tables, model, hosts, rules);
  const ReplayResult simulated = replay_on_network(all_at_once(hosts.size(), from, to, bytes),
                                                   no_costs, network, RankPlacement{hosts, {}}, {});
  CHECK(simulated.standing_still.empty());
  CHECK(simulated.time == outcome.round_ends.front());
  network.check_conservation();
  // simulate() continues until the last notification has arrived.
  CHECK(network.notifications() <= outcome.becns);
  CHECK((network.notifications() == 0) == (outcome.becns == 0));
}

std::vector<std::uint32_t> numbers(std::uint32_t count, std::uint32_t first = 0) {
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t i = 0; i < count; ++i) all[i] = (first + i) % count;
  return all;
}

TEST_CASE("a shift of messages takes the same time as a round of simulate()") {
  same_as_round(small_tree(), tree_tables(), Model{}, numbers(16), numbers(16, 5), 300'000);
}

TEST_CASE("a round takes the same time as in simulate() while cables fail and return") {
  const ChannelId cable(3);
  const Fabric damaged = survivors(small_tree(), {}, {&cable, 1});
  const Routing routing = make_engine("pssp", {})->route(damaged);
  LaterStates later;
  later.states.push_back({20 * picoseconds_per_microsecond, {damaged, routing.tables}});
  later.states.front().tables_after = 5 * picoseconds_per_microsecond;
  later.states.push_back({60 * picoseconds_per_microsecond, {small_tree(), tree_tables()}});
  later.retry.timeout = 30 * picoseconds_per_microsecond;
  PacketRules rules;
  rules.later = &later;
  for (const std::uint32_t shift : {4U, 7U, 13U}) {
    same_as_round(small_tree(), tree_tables(), Model{}, numbers(16), numbers(16, shift), 300'000,
                  rules);
  }
}

TEST_CASE("an application that loses a message permanently ends with an error") {
  const EndPortId host = small_tree().endpoints()[1];
  const Fabric without = survivors(small_tree(), {}, {}, {&host, 1});
  const Routing routing = make_engine("pssp", {})->route(without);
  LaterStates later;
  later.states.push_back({20 * picoseconds_per_microsecond, {without, routing.tables}});
  later.retry = {.timeout = picoseconds_per_microsecond, .retries = 2};
  PacketRules rules;
  rules.later = &later;
  const RankPlacement positions = every_host();
  const Model model;
  PacketNetwork network(small_tree(), tree_tables(), model, positions.hosts, rules);
  const Schedule schedule = all_at_once(16, {0}, {1}, 300'000);
  try {
    static_cast<void>(replay_on_network(schedule, no_costs, network, positions, {}));
    FAIL("it ended");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::verification_failed);
    CHECK(std::string(error.what()).find("was lost 3 times in a row") != std::string::npos);
  }

  const AdaptiveGroups groups = minimal_groups(small_tree(), tree_tables());
  const AdaptiveRouting adaptive{&groups};
  rules.adaptive = &adaptive;
  CHECK_THROWS_AS(PacketNetwork(small_tree(), tree_tables(), model, positions.hosts, rules), Error);
}

TEST_CASE("with congestion control, a round takes the same time as in simulate()") {
  // An incast of ten hosts, and a flow that shares part of its path with it.
  std::vector<std::uint32_t> from, to;
  for (std::uint32_t r = 2; r < 12; ++r) {
    from.push_back(r);
    to.push_back(0);
  }
  from.push_back(12);
  to.push_back(1);
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  same_as_round(small_tree(), tree_tables(), Model{}, from, to, 400'000, {.congestion = &set});
  const Model model;
  const std::vector<EndPortId> hosts = every_host().hosts;
  PacketNetwork configured(small_tree(), tree_tables(), model, hosts, {.congestion = &set});
  ApplicationSize size;
  size.ranks = 16;
  size.bytes = 400'000;
  const Schedule incast(written(find_application("incast").make(size)));
  const ReplayTime controlled = replay_on_network(incast, {}, configured, every_host(), {}).time;
  CHECK(configured.notifications() > 100);
  CHECK(controlled != packet_replay(incast, {}).time);
}

TEST_CASE("service levels with separate lanes prevent a deadlock on a ring") {
  const Fabric ring = make_fabric("torus 6 --hosts 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(ring).tables;
  const LaneAssignment assigned = assign_lanes(ring, tables);
  REQUIRE(assigned.needed == 2);
  Model two_lanes;
  two_lanes.lanes = 2;
  // Each host sends to a host two switches ahead. All channels of one direction are in use, and the
  // packets of each host wait behind the packets of the next host.
  const std::vector<std::uint32_t> from = numbers(12), to = numbers(12, 4);
  constexpr std::uint64_t bytes = 4'000'000;
  same_as_round(ring, tables, two_lanes, from, to, bytes, {.levels = &assigned.service_levels});

  const std::vector<EndPortId> hosts(ring.endpoints().begin(), ring.endpoints().end());
  const Schedule schedule = all_at_once(hosts.size(), from, to, bytes);
  Model tight = two_lanes;
  tight.buffer_credits = 40;
  PacketNetwork with_levels(ring, tables, tight, hosts, {.levels = &assigned.service_levels});
  CHECK(replay_on_network(schedule, no_costs, with_levels, RankPlacement{hosts, {}}, {}).time > 0);
  PacketNetwork without(ring, tables, tight, hosts);
  CHECK_THROWS_WITH(replay_on_network(schedule, no_costs, without, RankPlacement{hosts, {}}, {}),
                    Catch::Matchers::Contains("wait for each other in a cycle"));
}

TEST_CASE("collective operations as packets take within 5 % of their time as flows") {
  for (const char* const name :
       {"allreduce:recursive_doubling", "alltoall:pairwise", "allreduce:ring"}) {
    CAPTURE(name);
    ApplicationSize size;
    size.ranks = 16;
    size.bytes = 200'000;
    const Schedule schedule(written(find_application(name).make(size)));
    ReplayRecord record;
    const ReplayResult packets = packet_replay(schedule, {}, &record);
    const auto flows = static_cast<double>(
        replay_on_links(schedule, {}, small_tree(), &tree_tables(), every_host()).time);
    CHECK(std::abs(static_cast<double>(packets.time) / flows - 1) < 0.05);
    CHECK(packet_replay(schedule, {}).time == packets.time);
    const CriticalPath path = critical_path(schedule, record);
    ReplayTime sum = 0;
    for (const ReplayTime part : path.parts) sum += part;
    CHECK(sum == packets.time);
  }
}

/// The result of a simulation with its counts.
struct PacketReplay {
  ReplayResult result;
  std::uint64_t events = 0, packets = 0, overtaken = 0;
};
PacketReplay adaptive_replay(const Fabric& fabric, const Schedule& schedule,
                             const std::vector<EndPortId>& hosts, bool is_adaptive,
                             bool by_message = false) {
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const AdaptiveGroups groups = minimal_groups(fabric, tables);
  const AdaptiveRouting routing{&groups, by_message, 1};
  const Model model;
  PacketNetwork network(fabric, tables, model, hosts,
                        {.adaptive = is_adaptive ? &routing : nullptr});
  PacketReplay simulate_run;
  simulate_run.result = replay_on_network(schedule, {}, network, RankPlacement{hosts, {}}, {});
  CHECK(simulate_run.result.standing_still.empty());
  network.check_conservation();
  simulate_run.events = network.events();
  simulate_run.packets = network.packets();
  simulate_run.overtaken = network.overtaken();
  return simulate_run;
}
Schedule alltoall(std::uint32_t ranks, std::uint64_t bytes) {
  ApplicationSize size;
  size.ranks = ranks;
  size.bytes = bytes;
  return Schedule(written(find_application("alltoall:pairwise").make(size)));
}

TEST_CASE("adaptive routing gives the result of the tables if each port set has one port") {
  for (const char* const text : {"mesh 5 --hosts 3", "xgft 4,4 1,1", "xgft 3,3,3 1,1,1"}) {
    CAPTURE(text);
    const Fabric fabric = make_fabric(text);
    const std::vector<EndPortId> hosts(fabric.endpoints().begin(), fabric.endpoints().end());
    const Schedule schedule = alltoall(static_cast<std::uint32_t>(hosts.size()), 50'000);
    const PacketReplay by_tables = adaptive_replay(fabric, schedule, hosts, false);
    for (const bool by_message : {false, true}) {
      const PacketReplay adaptive = adaptive_replay(fabric, schedule, hosts, true, by_message);
      CHECK(adaptive.result.rank_ends == by_tables.result.rank_ends);
      CHECK(adaptive.events == by_tables.events);
      CHECK(adaptive.overtaken == 0);
    }
  }
}

TEST_CASE("adaptive routing resolves contention of the tables and comes close to a crossbar") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  // Three hosts of one leaf send to hosts that the tables reach through the same spine.
  const std::uint32_t leaf = fabric.end_port(fabric.endpoints().front()).attached.value();
  std::vector<EndPortId> from, to;
  PortNumber spine = no_port;
  for (const EndPortId host : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(host);
    if (port.attached.value() == leaf) {
      from.push_back(host);
      continue;
    }
    const PortNumber entry = tables.at(SwitchId(leaf), port.lid);
    if (spine == no_port) spine = entry;
    if (entry == spine && to.size() < 3) to.push_back(host);
  }
  REQUIRE(to.size() == 3);
  std::vector<EndPortId> hosts(from.begin(), from.begin() + 3);
  hosts.insert(hosts.end(), to.begin(), to.end());
  std::vector<RankSchedule> ranks(6);
  constexpr std::uint64_t bytes = 1 << 20;
  for (std::uint32_t r = 0; r < 3; ++r) {
    ranks[r].operations.push_back({OperationKind::send, 0, 0, r + 3, 0, bytes});
    ranks[r + 3].operations.push_back({OperationKind::receive, 0, 0, r, 0, bytes});
  }
  const Schedule schedule(ranks);
  const auto alone = static_cast<double>(
      replay_on_links(schedule, {}, fabric, nullptr, RankPlacement{hosts, {}}).time);
  const PacketReplay by_tables = adaptive_replay(fabric, schedule, hosts, false);
  const PacketReplay by_packet = adaptive_replay(fabric, schedule, hosts, true);
  const PacketReplay by_message = adaptive_replay(fabric, schedule, hosts, true, true);
  CHECK(static_cast<double>(by_tables.result.time) > 2.9 * alone);
  CHECK(static_cast<double>(by_packet.result.time) < 1.25 * alone);
  CHECK(by_message.result.time < by_tables.result.time);
  CHECK(by_packet.packets == by_tables.packets);
  // A message on a single path stays in order, and each pair has one message.
  CHECK(by_message.overtaken == 0);
}

TEST_CASE("messages are complete although packets overtake, and a second run is identical") {
  const Fabric fabric = make_fabric("k-ary-n-tree 2 3 --shuffle-guids");
  const std::vector<EndPortId> hosts(fabric.endpoints().begin(), fabric.endpoints().end());
  const Schedule schedule = alltoall(static_cast<std::uint32_t>(hosts.size()), 70'001);
  const PacketReplay first = adaptive_replay(fabric, schedule, hosts, true);
  const PacketReplay again = adaptive_replay(fabric, schedule, hosts, true);
  CHECK(first.overtaken > 0);
  CHECK(first.overtaken < first.packets);
  CHECK(again.result.rank_ends == first.result.rank_ends);
  CHECK(again.overtaken == first.overtaken);
}

TEST_CASE("tables with a missing route are refused before anything is sent") {
  ForwardingTables broken = tree_tables();
  const Lid last = small_tree().end_port(small_tree().endpoints().back()).lid;
  broken.set(SwitchId(0), last, no_port);
  const Model model;
  const std::vector<EndPortId> hosts = every_host().hosts;
  CHECK_THROWS_AS(PacketNetwork(small_tree(), broken, model, hosts), Error);
}

}  // namespace
}  // namespace pssp
