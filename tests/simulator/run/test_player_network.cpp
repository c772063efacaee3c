// Messages as packets: by hand where one is alone, against flows where links are shared, and
// against simulate(), which plays the same messages as rounds.

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/measure/critical_path.h"
#include "applications/play/network_play.h"
#include "base/error.h"
#include "routing/engines/engine.h"
#include "simulator/run/player_network.h"
#include "simulator/run/simulation.h"
#include "topologies/registry.h"

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
RankPlaces every_host() {
  return {{small_tree().endpoints().begin(), small_tree().endpoints().end()}};
}

PlayResult packet_play(const Schedule& schedule, const MessageCosts& costs,
                       PlayRecord* record = nullptr) {
  const Model model;
  const RankPlaces places = every_host();
  PacketNetwork network(small_tree(), tree_tables(), model, places.hosts);
  NetworkPlayOptions options;
  options.record = record;
  PlayResult result = play_on_network(schedule, costs, network, places, options);
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

TEST_CASE("packets: a message alone takes its bytes and the way, cut through") {
  const Schedule schedule(
      parse_goal_text("num_ranks 2\nrank 0 {\n send 1000000b to 1\n}\nrank 1 {\n"
                      " recv 1000000b from 0\n}\n",
                      "text")
          .ranks);
  // 4xQDR, 250 ps a byte: the header is in before the switch begins; two links and a switch.
  constexpr PlayTime expected = 250'000'000 + 2 * 5'000 + 100'000 + 8 * 250;
  CHECK(packet_play(schedule, no_costs).time == expected);
}

TEST_CASE("packets: messages that share a link take twice as long, and those of a pair in turn") {
  const Schedule schedule(
      parse_goal_text("num_ranks 3\nrank 0 {\n send 400000b to 2 tag 1\n send 400000b to 2 tag 2\n"
                      "}\nrank 1 {\n send 400000b to 2\n}\nrank 2 {\n recv 400000b from 0 tag 1\n"
                      " recv 400000b from 0 tag 2\n recv 400000b from 1\n}\n",
                      "text")
          .ranks);
  PlayRecord record;
  const PlayResult result = packet_play(schedule, no_costs, &record);
  // Both first messages are in at 200 us, the second has the link to itself until 300 us.
  CHECK(std::abs(static_cast<double>(record[0].arrived) - 200e6) < 2e6);
  CHECK(std::abs(static_cast<double>(record[2].arrived) - 200e6) < 2e6);
  CHECK(std::abs(static_cast<double>(result.time) - 300e6) < 1e6);
}

TEST_CASE("packets: a shift takes what a round of simulate() takes") {
  constexpr std::uint32_t ranks = 16, shift = 5;
  constexpr std::uint64_t bytes = 300'000;
  std::vector<RankSchedule> schedule(ranks);
  Traffic traffic;
  traffic.duration = traffic.sample = picoseconds_per_second;
  RoundTraffic rounds;
  rounds.bytes = bytes;
  rounds.rounds.emplace_back();
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::uint32_t to = (r + shift) % ranks;
    schedule[r].operations.push_back({OperationKind::send, 0, 0, to, 0, bytes});
    schedule[r].operations.push_back(
        {OperationKind::receive, 0, 0, (r + ranks - shift) % ranks, 0, bytes});
    rounds.rounds.front().push_back({r, to});
  }
  traffic.rounds.push_back(rounds);
  const Outcome outcome =
      simulate(small_tree(), tree_tables(), nullptr, traffic, Model{}, nullptr, RunRequest{});
  REQUIRE(outcome.round_ends.size() == 1);
  CHECK(packet_play(Schedule(schedule), no_costs).time == outcome.round_ends.front());
}

TEST_CASE("packets: collective operations are within a few percent of flows") {
  for (const char* const name :
       {"allreduce:recursive_doubling", "alltoall:pairwise", "allreduce:ring"}) {
    CAPTURE(name);
    ApplicationSize size;
    size.ranks = 16;
    size.bytes = 200'000;
    const Schedule schedule(written(find_application(name).make(size)));
    PlayRecord record;
    const PlayResult packets = packet_play(schedule, {}, &record);
    const auto flows = static_cast<double>(
        play_on_links(schedule, {}, small_tree(), &tree_tables(), every_host()).time);
    CHECK(std::abs(static_cast<double>(packets.time) / flows - 1) < 0.05);
    CHECK(packet_play(schedule, {}).time == packets.time);
    const CriticalPath path = critical_path(schedule, record);
    PlayTime sum = 0;
    for (const PlayTime part : path.parts) sum += part;
    CHECK(sum == packets.time);
  }
}

TEST_CASE("packets: tables without a route are refused before anything is sent") {
  ForwardingTables broken = tree_tables();
  const Lid last = small_tree().end_port(small_tree().endpoints().back()).lid;
  broken.set(SwitchId(0), last, no_port);
  const Model model;
  const std::vector<EndPortId> hosts = every_host().hosts;
  CHECK_THROWS_AS(PacketNetwork(small_tree(), broken, model, hosts), Error);
}

}  // namespace
}  // namespace pssp
