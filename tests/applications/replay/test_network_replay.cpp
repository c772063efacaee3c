// Compares simulations on a crossbar with closed forms of collective operations, small cases of
// shared links with values calculated by hand, and the rates of a bisection with CongestionCounter.

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/networks/paths.h"
#include "applications/networks/shared_links.h"
#include "applications/replay/network_replay.h"
#include "evaluator/flows/congestion.h"
#include "evaluator/flows/route_store.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

const Fabric& tree() {
  static const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  return fabric;
}
constexpr double rate = 0.004;         // bytes per picosecond on 4xQDR
constexpr double free_path = 110'000;  // two links and a switch, in picoseconds

RankPlacement all_hosts(const Fabric& fabric) {
  return {{fabric.endpoints().begin(), fabric.endpoints().end()}};
}

double replayed_with(const ApplicationSize& size, const std::string& name,
                     const MessageCosts& costs, const RankPlacement& positions) {
  const ReplayResult result = replay_on_links(Schedule(written(find_application(name).make(size))),
                                              costs, tree(), nullptr, positions);
  CHECK(result.standing_still.empty());
  return static_cast<double>(result.time);
}
ApplicationSize size_of(std::uint32_t ranks, std::uint64_t bytes) {
  ApplicationSize size;
  size.ranks = ranks;
  size.bytes = bytes;
  return size;
}
double replayed(const std::string& name, std::uint32_t ranks, std::uint64_t bytes,
                std::uint64_t eager) {
  MessageCosts costs;
  costs.eager = eager;
  return replayed_with(size_of(ranks, bytes), name, costs, all_hosts(tree()));
}

/// Time of a message that does not share its links: eager, or with the latencies of the envelope
/// and the answer.
double step(double bytes, bool eager) {
  const double latency = 700'000 + free_path;
  return 2 * 500'000.0 + latency + bytes / rate + (eager ? 0 : 2 * latency);
}

/// Additional time for the ranks beyond a power of two, besides the steps among the other ranks.
/// Derived by hand for 12 ranks: ranks 8 to 11 send their vectors to ranks 0 to 3 first, so ranks 4
/// to 7 are one step ahead.
struct FoldedCost {
  double doubling, halving;
};
FoldedCost folded_cost(std::uint32_t ranks, double s, bool eager) {
  if (ranks == 8) return {0, 0};
  const double o = 500'000;
  const double latency = 700'000 + free_path;
  // Rendezvous, doubling: at the last exchange, the envelope of rank 4 already waits at rank 0, so
  // the data arrives o + L earlier. The step of rank 0 then ends with its own send, which includes
  // neither the L of the receiver nor the o of the receive. Halving: ranks 0 and 4 exchange first
  // and last. The time that one of them gains in the first exchange is spent waiting in the last
  // exchange.
  if (!eager) return {2 * step(s, false) - (o + 700'000), 2 * step(s, false)};
  // Eager, doubling, with x = s / rate: in step 2, the data of ranks 2 and 4 shares the link to
  // rank 0, which takes x longer. In the last exchange, the data is already at rank 0, which needs
  // only 2 o. So the vector from rank 0 to rank 8 shares the link with the vector to rank 4 and
  // ends 2 x after the start of the latter. Halving, with negligible x: as above.
  return {2 * step(s, true) - 2 * o - latency + s / rate, 2 * step(s, true)};
}

TEST_CASE("collective operations on a crossbar take the time of their closed forms") {
  for (const std::uint64_t eager : {std::uint64_t{1} << 40U, std::uint64_t{0}}) {
    const bool is_eager = eager != 0;
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(ranks, is_eager);
      const double n = ranks;
      const double s = 96'000;
      const double slack = 1000 * 2 * n;  // a nanosecond for each message
      const auto takes = [&](const char* name, std::uint64_t bytes, double expected) {
        CAPTURE(name);
        CHECK(std::abs(replayed(name, ranks, bytes, eager) - expected) < slack);
      };
      const FoldedCost folded = folded_cost(ranks, s, is_eager);
      takes("allreduce:ring", 96'000, 2 * (n - 1) * step(s / n, is_eager));
      takes("allreduce:recursive_doubling", 96'000, 3 * step(s, is_eager) + folded.doubling);
      // In a halving, ranks that are ahead share links with other ranks in every step. The closed
      // form then holds only if the data takes no time.
      const double h = is_eager && ranks == 12 ? 8 : s;
      takes("allreduce:rabenseifner", static_cast<std::uint64_t>(h),
            2 * (step(h / 2, is_eager) + step(h / 4, is_eager) + step(h / 8, is_eager)) +
                folded_cost(ranks, h, is_eager).halving);
      takes("alltoall:pairwise", 96'000, (n - 1) * step(s, is_eager));
      takes("alltoall:linear", 96'000, (n - 1) * step(s, is_eager));
      takes("barrier:dissemination", 1, std::ceil(std::log2(n)) * step(1, is_eager));
      double bruck = 0;
      for (std::uint32_t distance = 1; distance < ranks; distance *= 2) {
        std::uint32_t blocks = 0;
        for (std::uint32_t block = 0; block < ranks; ++block) blocks += (block / distance) % 2;
        bruck += step(blocks * s, is_eager);
      }
      takes("alltoall:bruck", 96'000, bruck);
    }
  }
}

TEST_CASE("an incast takes the time of the receiver's link, and a broadcast to one rank one step") {
  const double all = 12'000'000;
  const std::uint64_t eager = std::uint64_t{1} << 40U;
  // All messages end at the same time; then the receiver needs o for each of them.
  CHECK(std::abs(replayed("incast", 13, 1'000'000, eager) -
                 (all / rate + 700'000 + free_path + 500'000 + 12 * 500'000.0)) < 100);
  CHECK(std::abs(replayed("bcast:binomial", 2, 1'000'000, eager) - step(1'000'000, true)) < 100);
}

/// Costs without overhead, so that messages that begin together end together.
MessageCosts path_alone(bool eager) {
  MessageCosts costs;
  costs.overhead = 0;
  costs.eager = eager ? std::uint64_t{1} << 40U : 0;
  return costs;
}
/// Time of a message apart from its bytes.
double path(bool eager) { return (eager ? 1 : 3) * (700'000 + free_path); }

TEST_CASE("applications that share host links of a crossbar take the time of their closed forms") {
  for (const bool eager : {true, false}) {
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(eager, ranks);
      constexpr double s = 96'000;
      const MessageCosts costs = path_alone(eager);
      const auto takes = [&](const char* name, const ApplicationSize& size, double expected) {
        CAPTURE(name);
        const double slack = 1000.0 * ranks;  // a nanosecond for each message
        CHECK(std::abs(replayed_with(size, name, costs, all_hosts(tree())) - expected) < slack);
      };
      const double n = ranks;
      takes("incast", size_of(ranks, 96'000), (n - 1) * s / rate + path(eager));
      ApplicationSize halo = size_of(ranks, 96'000);
      halo.grid = {ranks / 4, 2, 2};
      halo.iterations = 3;
      halo.compute_ns = 10'000;
      takes("halo:AxBxC", halo, 3 * (10'000'000 + 6 * s / rate + path(eager)));
      ApplicationSize linear = size_of(ranks, 96'000);
      linear.window = 4;
      takes("alltoall:linear", linear, (n - 1) * s / rate + std::ceil((n - 1) / 4) * path(eager));
      // The longest chain of the tree passes ranks with 3, 2 and 1 children of 8 ranks, and with 4,
      // 2 and 1 children of 12 ranks.
      takes("bcast:binomial", size_of(ranks, 96'000),
            (ranks == 8 ? 6 : 7) * s / rate + 3 * path(eager));
    }
  }
}

TEST_CASE("a training step takes the time of its pipeline stages, activations and rings") {
  for (const bool eager : {true, false}) {
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(eager, ranks);
      // Only stages: (M + P1 - 1) (f + b) if messages cost nothing.
      ApplicationSize stages = size_of(ranks, 0);
      stages.training = {4, 6, 0, 5'000, 1};
      stages.compute_ns = 3'000;
      MessageCosts nothing = path_alone(eager);
      nothing.latency = 0;
      const Schedule schedule(written(find_application("train").make(stages)));
      const ReplayResult result =
          replay_on_links(schedule, nothing, tree(), nullptr, all_hosts(tree()), LinkSharing::equal,
                          {.link = 0, .switch_delay = 0});
      CHECK(result.time == (6 + 4 - 1) * (3'000'000 + 5'000'000));
      // Only activations: down the chain of stages and back.
      ApplicationSize chain = size_of(ranks, 1);
      chain.training = {ranks, 1, 96'000, 0, 1};
      const auto within = [&](double time, double expected) {
        CHECK(std::abs(time - expected) < 1000.0 * ranks * ranks);
      };
      const MessageCosts costs = path_alone(eager);
      within(replayed_with(chain, "train", costs, all_hosts(tree())),
             2 * (ranks - 1) * (96'000 / rate + path(eager)));
      // Only rings: in groups of P / P1 ranks. With two rails, each carries half of the bytes.
      RankPlacement rails;
      const std::span<const EndPortId> hosts = tree().endpoints();
      for (std::uint32_t r = 0; r < 8; ++r) {
        rails.hosts.push_back(hosts[2 * r]);
        rails.adapters.push_back({hosts[2 * r], hosts[2 * r + 1]});
      }
      const double members = 4;
      for (const std::uint32_t count : {1U, 2U}) {
        ApplicationSize rings = size_of(8, 96'000);
        rings.training = {2, 1, 0, 0, count};
        // Empty activations pass the two stages and return first.
        within(replayed_with(rings, "train", costs, rails),
               2 * (700'000 + free_path) +
                   2 * (members - 1) * (96'000 / members / count / rate + path(eager)));
      }
    }
  }
}

TEST_CASE("a pattern takes the same time as the application with the same messages") {
  for (const std::uint64_t eager : {std::uint64_t{1} << 40U, std::uint64_t{0}}) {
    for (const std::uint32_t ranks : {8U, 12U}) {
      MessageCosts costs;
      costs.eager = eager;
      const auto pattern = [&](const char* name) {
        ApplicationSize size = size_of(ranks, 96'000);
        size.pattern = name;
        return replayed_with(size, "pattern:NAME", costs, all_hosts(tree()));
      };
      CHECK(pattern("shifts") == replayed("alltoall:pairwise", ranks, 96'000, eager));
      CHECK(pattern("dissemination") == replayed("barrier:dissemination", ranks, 96'000, eager));
      CHECK(pattern("gather") == replayed("incast", ranks, 96'000, eager));
    }
  }
}

TEST_CASE("with a barrier, no phase of a pattern begins before the previous phase has ended") {
  ApplicationSize size = size_of(13, 400'000);
  size.pattern = "tree";
  for (const bool barrier : {false, true}) {
    size.barrier = barrier;
    const Schedule schedule(written(find_application("pattern:NAME").make(size)));
    ReplayRecord record;
    NetworkReplayOptions options;
    options.record = &record;
    MessageCosts costs;
    costs.eager = std::uint64_t{1} << 40U;
    replay_on_links(schedule, costs, tree(), nullptr, all_hosts(tree()), LinkSharing::equal, {},
                    options);
    constexpr std::size_t levels = 4;
    std::vector<ReplayTime> first(levels, std::numeric_limits<ReplayTime>::max()), last(levels);
    for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
      const Operation& o = schedule.operation(i);
      if (o.size == 0) continue;
      // In phase l, rank i sends to i + 2^l.
      const std::uint32_t a = std::min(o.peer, schedule.rank_of(i));
      const std::uint32_t b = std::max(o.peer, schedule.rank_of(i));
      const std::size_t level = static_cast<std::size_t>(std::bit_width(b - a)) - 1;
      if (o.kind == OperationKind::send) first[level] = std::min(first[level], record[i].begun);
      if (o.kind == OperationKind::receive) last[level] = std::max(last[level], record[i].ended);
    }
    bool in_order = true;
    for (std::size_t l = 1; l < levels; ++l) in_order = in_order && first[l] >= last[l - 1];
    CHECK(in_order == barrier);
  }
}

TEST_CASE("two messages share a link while both are in progress") {
  SharedLinks links({1.0});
  const std::vector<std::uint32_t> only{0};
  links.begin(7, 1'000'000, only, 0);
  links.share(0);
  CHECK(links.next_end() == 1'000'000);
  links.begin(8, 1'000'000, only, 500'000);
  links.share(500'000);
  CHECK(links.next_end() == 1'500'000);
  CHECK(links.take_ended(1'500'000) == 7);
  links.share(1'500'000);
  CHECK(links.next_end() == 2'000'000);
  CHECK(links.take_ended(2'000'000) == 8);
  CHECK(links.bytes()[0] == 2'000'000);
}

TEST_CASE("with equal sharing, a message gets 1/n of its link even if other messages use less") {
  SharedLinks links({1.0, 0.5});
  links.begin(1, 300, std::vector<std::uint32_t>{0}, 0);
  links.begin(2, 300, std::vector<std::uint32_t>{0, 1}, 0);
  links.begin(3, 300, std::vector<std::uint32_t>{1}, 0);
  links.share(0);
  CHECK(links.rate(1) == 0.5);
  CHECK(links.rate(2) == 0.25);
  CHECK(links.rate(3) == 0.25);
  CHECK(links.next_end() == 600);
  CHECK(links.take_ended(600) == 1);
  links.share(600);
  CHECK(links.rate(2) == 0.25);
  CHECK(links.next_end() == 1200);
  CHECK(links.take_ended(1200) == 2);
  CHECK(links.take_ended(1200) == 3);
}

TEST_CASE("with max-min sharing, a message gets the capacity that other messages cannot use") {
  SharedLinks links({1.0, 0.5}, LinkSharing::max_min);
  links.begin(1, 300, std::vector<std::uint32_t>{0}, 0);
  links.begin(2, 300, std::vector<std::uint32_t>{0, 1}, 0);
  links.begin(3, 300, std::vector<std::uint32_t>{1}, 0);
  links.share(0);
  CHECK(links.rate(1) == 0.75);
  CHECK(links.rate(2) == 0.25);
  CHECK(links.rate(3) == 0.25);
  CHECK(links.next_end() == 400);
  CHECK(links.take_ended(400) == 1);
  links.share(400);
  CHECK(links.rate(2) == 0.25);
  // Messages 2 and 3 both end at 1200 because the end of message 1 does not change their rates.
  CHECK(links.next_end() == 1200);
}

TEST_CASE("a message that ends changes max-min shares of messages with which it shares no link") {
  // Messages 1 and 2 share link 0; messages 2 and 3 share link 1. After the end of message 1,
  // message 2 gets more and message 3 less.
  SharedLinks links({0.2, 1.0}, LinkSharing::max_min);
  links.begin(1, 100, std::vector<std::uint32_t>{0}, 0);
  links.begin(2, 10'000, std::vector<std::uint32_t>{0, 1}, 0);
  links.begin(3, 10'000, std::vector<std::uint32_t>{1}, 0);
  links.share(0);
  CHECK(links.rate(3) == 0.9);
  CHECK(links.take_ended(links.next_end()) == 1);
  links.share(1000);
  CHECK(links.rate(2) == 0.2);
  CHECK(links.rate(3) == 0.8);
}

TEST_CASE("the rates of a bisection are exactly the link rate divided by the congestion") {
  const Fabric& fabric = tree();
  const Routing routing = make_engine("pssp", {})->route(fabric);
  const RouteStore store(fabric, routing.tables);
  CongestionCounter counter(store);
  MessagePaths paths(fabric, &routing.tables, {});
  for (std::uint32_t shift = 1; shift < 16; ++shift) {
    std::vector<Flow> flows;
    for (std::uint32_t i = 0; i < 16; ++i) flows.push_back({i, (i * 3 + shift) % 16});
    std::erase_if(flows, [](const Flow& flow) { return flow.source == flow.destination; });
    if (flows.size() != 16) continue;  // for an even shift, one host would send to itself
    SharedLinks links(paths.capacities());
    std::vector<std::uint32_t> path;
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
      paths.collect(fabric.endpoints()[flows[i].source], fabric.endpoints()[flows[i].destination],
                    path);
      links.begin(i, 1e6, path, 0);
    }
    links.share(0);
    const std::span<const double> congestion = counter.largest_congestion(flows);
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
      CHECK(links.rate(i) == paths.capacities()[0] / congestion[i]);
    }
  }
}

TEST_CASE("messages of a pair of hosts are sent one after the other") {
  // Two messages of one pair take as long as one message of their total size. The other message
  // shares the link of the receiver and gets 1/2 of it, not 1/3.
  const auto goal = parse_goal_text(
      "num_ranks 3\n"
      "rank 0 {\n send 400000b to 2 tag 1\n send 400000b to 2 tag 2\n}\n"
      "rank 1 {\n send 400000b to 2\n}\n"
      "rank 2 {\n recv 400000b from 0 tag 1\n recv 400000b from 0 tag 2\n recv 400000b from 1\n}\n",
      "text");
  MessageCosts costs{.overhead = 0,
                     .overhead_per_byte = 0,
                     .gap = 0,
                     .latency = 0,
                     .gap_per_byte = 0,
                     .eager = 1U << 30U};
  const ReplayResult result =
      replay_on_links(Schedule(goal.ranks), costs, tree(), nullptr, all_hosts(tree()),
                      LinkSharing::equal, {.link = 0, .switch_delay = 0});
  // The first message of rank 0 and the message of rank 1 end at 200 us. Then the second message
  // has the link alone.
  CHECK(result.time == 300'000'000);
}

TEST_CASE("a network replay names a rendezvous send that no rank receives") {
  const auto goal =
      parse_goal_text("num_ranks 2\nrank 0 {\n send 100000b to 1 tag 5\n}\nrank 1 {\n}\n", "text");
  const ReplayResult result =
      replay_on_links(Schedule(goal.ranks), {}, tree(), nullptr, all_hosts(tree()));
  CHECK(result.standing_still == std::vector<std::string>{"rank 0: send 100000 bytes to 1 tag 5"});
}

}  // namespace
}  // namespace pssp
