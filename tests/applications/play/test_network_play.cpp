// On a crossbar the times of collective operations are known in closed form; two and three messages
// on a link are counted by hand; and what a play shares among all of a bisection is what
// CongestionCounter counts, exactly.

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "applications/formats/goal_text.h"
#include "applications/generators/applications.h"
#include "applications/networks/shared_links.h"
#include "applications/play/network_play.h"
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
constexpr double rate = 0.004;        // bytes a picosecond of 4xQDR
constexpr double free_way = 110'000;  // two links and a switch

std::vector<EndPortId> all_hosts(const Fabric& fabric) {
  return {fabric.endpoints().begin(), fabric.endpoints().end()};
}

double played(const std::string& name, std::uint32_t ranks, std::uint64_t bytes,
              std::uint64_t eager) {
  ApplicationSize size;
  size.ranks = ranks;
  size.bytes = bytes;
  size.grid = {ranks, 1, 1};
  MessageCosts costs;
  costs.eager = eager;
  const PlayResult result = play_on_links(Schedule(find_application(name).make(size)), costs,
                                          tree(), nullptr, all_hosts(tree()));
  CHECK(result.standing_still.empty());
  return static_cast<double>(result.time);
}

/// A message of a step, alone on its links: eager, or with the way of the envelope and its answer.
double step(double bytes, bool eager) {
  const double latency = 700'000 + free_way;
  return 2 * 500'000.0 + latency + bytes / rate + (eager ? 0 : 2 * latency);
}

TEST_CASE("crossbar: collective operations take what their closed forms say") {
  for (const std::uint64_t eager : {std::uint64_t{1} << 40U, std::uint64_t{0}}) {
    const bool is_eager = eager != 0;
    for (const std::uint32_t ranks : {8U, 12U}) {
      CAPTURE(ranks, is_eager);
      const double n = ranks;
      const double s = 96'000;
      const double folded = ranks == 12 ? 2 * step(s, is_eager) : 0;
      const double slack = 1000 * 2 * n;  // a nanosecond a message
      CHECK(std::abs(played("allreduce:ring", ranks, 96'000, eager) -
                     2 * (n - 1) * step(s / n, is_eager)) < slack);
      const double doubling = 3 * step(s, is_eager) + folded;
      const double halving =
          2 * (step(s / 2, is_eager) + step(s / 4, is_eager) + step(s / 8, is_eager)) + folded;
      // Ranks without a partner beyond the power of two run ahead, and what they send meets what
      // the others still receive: the closed form is a bound then, but for latencies that overlap.
      const double met = ranks == 8 ? slack : 2 * s / rate;
      const double overlap = ranks == 8 || is_eager ? slack : 4 * (700'000 + free_way);
      for (const auto& [name, expected] : {std::pair{"allreduce:recursive_doubling", doubling},
                                           std::pair{"allreduce:rabenseifner", halving}}) {
        const double time = played(name, ranks, 96'000, eager);
        CHECK(time - expected < met);
        CHECK(expected - time < overlap);
      }
      CHECK(std::abs(played("alltoall:pairwise", ranks, 96'000, eager) -
                     (n - 1) * step(s, is_eager)) < slack);
      CHECK(std::abs(played("alltoall:linear", ranks, 96'000, eager) -
                     (n - 1) * step(s, is_eager)) < slack);
      CHECK(std::abs(played("barrier:dissemination", ranks, 1, eager) -
                     std::ceil(std::log2(n)) * step(1, is_eager)) < slack);
      double bruck = 0;
      for (std::uint32_t distance = 1; distance < ranks; distance *= 2) {
        std::uint32_t blocks = 0;
        for (std::uint32_t block = 0; block < ranks; ++block) blocks += (block / distance) % 2;
        bruck += step(blocks * s, is_eager);
      }
      CHECK(std::abs(played("alltoall:bruck", ranks, 96'000, eager) - bruck) < slack);
    }
  }
}

TEST_CASE("crossbar: all to one take the time of its link, and a chain of a tree its depth") {
  const double all = 12'000'000;
  const std::uint64_t eager = std::uint64_t{1} << 40U;
  // All end together, and their receiver has o for each of them.
  CHECK(std::abs(played("incast", 13, 1'000'000, eager) -
                 (all / rate + 700'000 + free_way + 500'000 + 12 * 500'000.0)) < 100);
  CHECK(std::abs(played("bcast:binomial", 2, 1'000'000, eager) - step(1'000'000, true)) < 100);
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

TEST_CASE("links: the rates of a bisection are 1 / congestion, exactly") {
  const Fabric& fabric = tree();
  const Routing routing = make_engine("pssp", {})->route(fabric);
  const RouteStore store(fabric, routing.tables);
  CongestionCounter counter(store);
  MessageWays ways(fabric, &routing.tables, {});
  for (std::uint32_t shift = 1; shift < 16; ++shift) {
    std::vector<Flow> flows;
    for (std::uint32_t i = 0; i < 16; ++i) flows.push_back({i, (i * 3 + shift) % 16});
    std::erase_if(flows, [](const Flow& flow) { return flow.source == flow.destination; });
    if (flows.size() != 16) continue;  // 3 i + shift meets each once only where 3 and 16 are prime
    SharedLinks links(ways.capacities());
    std::vector<std::uint32_t> way;
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
      ways.collect(fabric.endpoints()[flows[i].source], fabric.endpoints()[flows[i].destination],
                   way);
      links.begin(i, 1e6, way, 0);
    }
    links.share(0);
    const std::span<const double> congestion = counter.largest_congestion(flows);
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
      CHECK(links.rate(i) == ways.capacities()[0] / congestion[i]);
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
  const PlayResult result = play_on_links(Schedule(goal.ranks), costs, tree(), nullptr,
                                          all_hosts(tree()), {.link = 0, .switch_delay = 0});
  // Both first ones end at 200 us, the second one has the link to itself then.
  CHECK(result.time == 300'000'000);
}

TEST_CASE("network: a schedule that waits for nobody's message stands still, and says where") {
  const auto goal =
      parse_goal_text("num_ranks 2\nrank 0 {\n send 100000b to 1 tag 5\n}\nrank 1 {\n}\n", "text");
  const PlayResult result =
      play_on_links(Schedule(goal.ranks), {}, tree(), nullptr, all_hosts(tree()));
  CHECK(result.standing_still == std::vector<std::string>{"rank 0: send 100000 bytes to 1 tag 5"});
}

}  // namespace
}  // namespace pssp
