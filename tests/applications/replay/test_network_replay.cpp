// On a crossbar the times of collective operations are known in closed form; two and three messages
// on a link are counted by hand; and what a play shares among all of a bisection is what
// CongestionCounter counts, exactly.

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
constexpr double rate = 0.004;         // bytes a picosecond of 4xQDR
constexpr double free_path = 110'000;  // two links and a switch

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

/// A message of a step, alone on its links: eager, or with the way of the envelope and its answer.
double step(double bytes, bool eager) {
  const double latency = 700'000 + free_path;
  return 2 * 500'000.0 + latency + bytes / rate + (eager ? 0 : 2 * latency);
}

/// What folding in the ranks beyond a power of two costs beside the steps among the others. By
/// hand, for 12 ranks: ranks 8 to 11 give their vector to 0 to 3, and 4 to 7 run ahead by one step.
struct FoldedCost {
  double doubling, halving;
};
FoldedCost folded_cost(std::uint32_t ranks, double s, bool eager) {
  if (ranks == 8) return {0, 0};
  const double o = 500'000;
  const double latency = 700'000 + free_path;
  // Rendezvous, doubling: the envelope of rank 4 waits for rank 0 at the last exchange, so data
  // comes o + L early; what ends rank 0's step is its own send, whose end lacks the L of the
  // receiver and the o of the receive. Halving: the pairs 0 and 4 meet first and last, and what the
  // one is early after the first exchange it waits for at the last.
  if (!eager) return {2 * step(s, false) - (o + 700'000), 2 * step(s, false)};
  // Eager, doubling, x = s / rate: in step 2 data of ranks 2 and 4 share the link to rank 0, which
  // takes x longer. The last exchange costs rank 0 but two o, the data being there, so its vector
  // for rank 8 shares the link with the one for rank 4, and has left 2 x after that one began.
  // Halving, where x is nothing: as above.
  return {2 * step(s, true) - 2 * o - latency + s / rate, 2 * step(s, true)};
}

TEST_CASE("crossbar: collective operations take what their closed forms say") {
  for (const std::uint64_t eager : {std::uint64_t{1} << 40U, std::uint64_t{0}}) {
    const bool is_eager = eager != 0;
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(ranks, is_eager);
      const double n = ranks;
      const double s = 96'000;
      const double slack = 1000 * 2 * n;  // a nanosecond a message
      const auto takes = [&](const char* name, std::uint64_t bytes, double expected) {
        CAPTURE(name);
        CHECK(std::abs(replayed(name, ranks, bytes, eager) - expected) < slack);
      };
      const FoldedCost folded = folded_cost(ranks, s, is_eager);
      takes("allreduce:ring", 96'000, 2 * (n - 1) * step(s / n, is_eager));
      takes("allreduce:recursive_doubling", 96'000, 3 * step(s, is_eager) + folded.doubling);
      // Ranks that run ahead share links in every step of a halving with others: only where data
      // takes no time is that no matter.
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

TEST_CASE("crossbar: all to one take the time of its link, and a chain of a tree its depth") {
  const double all = 12'000'000;
  const std::uint64_t eager = std::uint64_t{1} << 40U;
  // All end together, and their receiver has o for each of them.
  CHECK(std::abs(replayed("incast", 13, 1'000'000, eager) -
                 (all / rate + 700'000 + free_path + 500'000 + 12 * 500'000.0)) < 100);
  CHECK(std::abs(replayed("bcast:binomial", 2, 1'000'000, eager) - step(1'000'000, true)) < 100);
}

/// Costs nothing but the way, so that messages that begin together end together.
MessageCosts path_alone(bool eager) {
  MessageCosts costs;
  costs.overhead = 0;
  costs.eager = eager ? std::uint64_t{1} << 40U : 0;
  return costs;
}
/// What a message takes beside its bytes.
double path(bool eager) { return (eager ? 1 : 3) * (700'000 + free_path); }

TEST_CASE("crossbar: what shares the links of hosts takes what its closed form says") {
  for (const bool eager : {true, false}) {
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(eager, ranks);
      constexpr double s = 96'000;
      const MessageCosts costs = path_alone(eager);
      const auto takes = [&](const char* name, const ApplicationSize& size, double expected) {
        CAPTURE(name);
        const double slack = 1000.0 * ranks;  // a nanosecond a message
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
      // Down the tree: 3, 2 and 1 children among 8; 4, 2 and 1 among 12.
      takes("bcast:binomial", size_of(ranks, 96'000),
            (ranks == 8 ? 6 : 7) * s / rate + 3 * path(eager));
    }
  }
}

TEST_CASE("crossbar: a step of training takes its bubbles, its chain and its rings") {
  for (const bool eager : {true, false}) {
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(eager, ranks);
      // Stages alone: (M + P1 - 1) (f + b), where messages cost nothing.
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
      // Activations alone: down the chain and back.
      ApplicationSize chain = size_of(ranks, 1);
      chain.training = {ranks, 1, 96'000, 0, 1};
      const auto within = [&](double time, double expected) {
        CHECK(std::abs(time - expected) < 1000.0 * ranks * ranks);
      };
      const MessageCosts costs = path_alone(eager);
      within(replayed_with(chain, "train", costs, all_hosts(tree())),
             2 * (ranks - 1) * (96'000 / rate + path(eager)));
      // Rings alone: in groups of P / P1, and with two rails half of the bytes on each.
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
        // Empty activations go there and back before.
        within(replayed_with(rings, "train", costs, rails),
               2 * (700'000 + free_path) +
                   2 * (members - 1) * (96'000 / members / count / rate + path(eager)));
      }
    }
  }
}

TEST_CASE("patterns as applications are the applications that they are patterns of") {
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

TEST_CASE("patterns with a barrier: no level begins before all have ended the one before") {
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
      // In level l rank i sends to i + 2^l.
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

TEST_CASE("links: two messages, the second begun halfway") {
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

TEST_CASE("links: three messages on two links share by 1/n, whatever the others leave") {
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

TEST_CASE("links: by max-min shares what one message cannot use another gets") {
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
  // Where 2 ends, 3 gets the whole of its link, though nothing of it was touched before.
  CHECK(links.next_end() == 1200);
}

TEST_CASE("links: max-min shares reach messages that share no link with what ends") {
  // 1 and 2 share link 0, 2 and 3 link 1: without 1, 2 takes more, and 3 has less.
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

TEST_CASE("links: the rates of a bisection are 1 / congestion, exactly") {
  const Fabric& fabric = tree();
  const Routing routing = make_engine("pssp", {})->route(fabric);
  const RouteStore store(fabric, routing.tables);
  CongestionCounter counter(store);
  MessagePaths paths(fabric, &routing.tables, {});
  for (std::uint32_t shift = 1; shift < 16; ++shift) {
    std::vector<Flow> flows;
    for (std::uint32_t i = 0; i < 16; ++i) flows.push_back({i, (i * 3 + shift) % 16});
    std::erase_if(flows, [](const Flow& flow) { return flow.source == flow.destination; });
    if (flows.size() != 16) continue;  // 3 i + shift meets each once only where 3 and 16 are prime
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

TEST_CASE("network: messages of a pair of hosts leave one after the other") {
  // Two messages of one pair take as long as one of both sizes, beside another that shares the link
  // of the receiver: 1/2 for each, and not 2/3.
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
  // Both first ones end at 200 us, the second one has the link to itself then.
  CHECK(result.time == 300'000'000);
}

TEST_CASE(
    "network: a schedule that waits for a message that is never sent stops with an error that "
    "names the operation") {
  const auto goal =
      parse_goal_text("num_ranks 2\nrank 0 {\n send 100000b to 1 tag 5\n}\nrank 1 {\n}\n", "text");
  const ReplayResult result =
      replay_on_links(Schedule(goal.ranks), {}, tree(), nullptr, all_hosts(tree()));
  CHECK(result.standing_still == std::vector<std::string>{"rank 0: send 100000 bytes to 1 tag 5"});
}

}  // namespace
}  // namespace pssp
