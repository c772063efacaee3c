// Compares the transient states of a table update with a naive implementation that traces every
// pair in every state.

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "base/error.h"
#include "evaluator/rerouting/observed_states.h"
#include "evaluator/rerouting/transient_states.h"
#include "evaluator/rerouting/write_order_file.h"
#include "fabric/builder.h"
#include "tests/evaluator/rerouting/damaged_fabric.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// The outcome for the packets of a pair: 'a' arrives, 'n' no route, 'l' loop; and the channels
/// they use.
struct NaiveRoute {
  char state = 'l';
  std::vector<std::uint32_t> channels;
};

NaiveRoute follow(const Fabric& fabric, const ForwardingTables& tables, EndPortId from, Lid lid) {
  NaiveRoute route;
  SwitchId at = fabric.end_port(from).attached;
  for (std::size_t hops = 0; hops <= fabric.switch_count(); ++hops) {
    const PortNumber port = lid <= tables.max_lid() ? tables.at(at, lid) : no_port;
    const PortTarget behind = fabric.behind(at, port);
    if (behind.kind != PortTarget::Kind::channel) {
      const Delivery goal = fabric.delivery(lid);
      route.state = goal.at == at && goal.port == port ? 'a' : 'n';
      return route;
    }
    route.channels.push_back(behind.index);
    at = SwitchId(fabric.channel_head()[behind.index]);
  }
  return route;
}

bool has_cycle(const std::vector<std::vector<char>>& waits) {
  std::vector<int> seen(waits.size(), 0);
  const std::function<bool(std::size_t)> visit = [&](std::size_t c) {
    seen[c] = 1;
    for (std::size_t next = 0; next < waits.size(); ++next) {
      if (waits[c][next] == 0) continue;
      if (seen[next] == 1 || (seen[next] == 0 && visit(next))) return true;
    }
    seen[c] = 2;
    return false;
  };
  for (std::size_t c = 0; c < waits.size(); ++c) {
    if (seen[c] == 0 && visit(c)) return true;
  }
  return false;
}

void add_state(AffectedFlows& sum, std::map<std::pair<std::uint32_t, Lid>, std::uint64_t>& states,
               const std::vector<std::pair<std::uint32_t, Lid>>& now, bool is_first) {
  if (is_first) sum.at_first = now.size();
  sum.most = std::max<std::uint64_t>(sum.most, now.size());
  for (const auto& flow : now) sum.longest = std::max(sum.longest, ++states[flow]);
  sum.flows = states.size();
}

OrderImpact naive_impact(const TableMixture& mixture, std::span<const BlockWrite> order) {
  const Fabric& fabric = mixture.fabric;
  ForwardingTables now = mixture.old_tables;
  OrderImpact impact;
  std::map<std::pair<std::uint32_t, Lid>, std::uint64_t> unrouted, looped;
  for (std::size_t step = 0; step <= order.size(); ++step) {
    std::vector<std::pair<std::uint32_t, Lid>> no_route, loop;
    std::map<ServiceLevel, std::vector<std::vector<char>>> waits;
    for (const EndPortId from : fabric.endpoints()) {
      for (const Lid lid : fabric.lids()) {
        if (!fabric.is_endpoint_lid(lid) || fabric.owner(lid).index == from.value()) continue;
        const NaiveRoute route = follow(fabric, now, from, lid);
        const SwitchId at = fabric.end_port(from).attached;
        auto& graph = waits[mixture.levels != nullptr ? mixture.levels->at(at, lid) : 0];
        graph.resize(fabric.channel_count(), std::vector<char>(fabric.channel_count(), 0));
        for (std::size_t i = 1; route.state != 'l' && i < route.channels.size(); ++i) {
          graph[route.channels[i - 1]][route.channels[i]] = 1;
        }
        if (follow(fabric, mixture.new_tables, from, lid).state != 'a') continue;
        if (route.state == 'n') no_route.emplace_back(from.value(), lid);
        if (route.state == 'l') loop.emplace_back(from.value(), lid);
      }
    }
    const bool locked =
        std::ranges::any_of(waits, [](const auto& lane) { return has_cycle(lane.second); });
    if (step == order.size()) {
      impact.new_tables_have_one = locked;
      break;
    }
    if (locked && impact.credit_loop_states++ == 0) impact.first_credit_loop = step;
    add_state(impact.no_route, unrouted, no_route, step == 0);
    add_state(impact.loop, looped, loop, step == 0);
    const BlockWrite write = order[step];
    for (std::uint32_t lid = 0; lid < now.width(); ++lid) {
      if (lid / 64 != write.block) continue;
      const Lid each = static_cast<Lid>(lid);
      now.set(SwitchId(write.at_switch), each,
              each <= mixture.new_tables.max_lid()
                  ? mixture.new_tables.at(SwitchId(write.at_switch), each)
                  : no_port);
    }
  }
  return impact;
}

/// Each write is a separate step, one nanosecond after the write before it.
std::vector<SeenStep> steps_of_order(const TableMixture& mixture,
                                     std::span<const BlockWrite> order) {
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < order.size(); ++i) times.push_back(static_cast<std::int64_t>(i + 1));
  return steps_of_writes(order, times, mixture.new_tables);
}

void compare_seen(const ObservedAffectedFlows& seen, const AffectedFlows& counted) {
  CHECK(seen.at_first == counted.at_first);
  CHECK(seen.flows == counted.flows);
  CHECK(seen.most == counted.most);
  CHECK(seen.longest_ns == static_cast<std::int64_t>(counted.longest));
}

void compare(const TableMixture& mixture, std::span<const BlockWrite> order) {
  OrderImpact ours = TransientStates(mixture).impact_of(order);
  const OrderImpact naive = naive_impact(mixture, order);
  CHECK(ours.no_route == naive.no_route);
  CHECK(ours.loop == naive.loop);
  const ObservedStates seen =
      observed_states(mixture.fabric, mixture.old_tables, 0, steps_of_order(mixture, order));
  compare_seen(seen.no_route, naive.no_route);
  compare_seen(seen.loop, naive.loop);
  CHECK(ours.credit_loop_states == naive.credit_loop_states);
  CHECK(ours.first_credit_loop == naive.first_credit_loop);
  CHECK(ours.new_tables_have_one == naive.new_tables_have_one);
  CHECK(ours.credit_loop.empty() == (naive.credit_loop_states == 0));
  for (std::size_t i = 0; i < ours.credit_loop.size(); ++i) {
    const ChannelId next = ours.credit_loop[(i + 1) % ours.credit_loop.size()];
    CHECK(mixture.fabric.channel_head()[ours.credit_loop[i].value()] ==
          mixture.fabric.channel_tail()[next.value()]);
  }
}

}  // namespace

TEST_CASE("transient states of random write orders match a naive implementation") {
  std::uint64_t no_route = 0, loop = 0, locked = 0, unlocked = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const DamagedFabric each = damaged_fabric(seed);
    const RoutedState before{each.before.fabric, each.before.tables};
    const RoutedState after{each.after.fabric, each.after.tables};
    try {
      const FabricChange change(before.fabric, after.fabric);
      const ForwardingTables old_tables = tables_before_writing(change, before, after);
      const TableChanges changes = table_changes(old_tables, after);
      // Every second mixture has service levels, so that there are several virtual lanes.
      ServiceLevels levels = level_zero(after.tables);
      std::mt19937_64 random(seed);
      for (ServiceLevel& level : levels.entries()) level = static_cast<ServiceLevel>(random() % 3);
      const TableMixture mixture{after.fabric, old_tables, after.tables,
                                 seed % 2 == 0 ? &levels : nullptr};
      INFO("seed " << seed);
      const std::vector<BlockWrite> order = random_order(changes.writes, seed, 1);
      compare(mixture, order);
      const OrderImpact impact = TransientStates(mixture).impact_of(order);
      no_route += impact.no_route.flows;
      loop += impact.loop.flows;
      locked += impact.credit_loop_states;
      unlocked += order.size() - impact.credit_loop_states;
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::mismatch);
    }
  }
  CHECK(no_route > 1000);
  CHECK(loop > 100);
  CHECK(locked > 20);
  CHECK(unlocked > 20);
}

TEST_CASE("transient states are correct for ports with several LIDs in several blocks") {
  // Six fully connected switches with three hosts each, four LIDs per host.
  FabricBuilder builder;
  for (std::uint64_t s = 0; s < 6; ++s) {
    builder.add_switch(0x200 + s, 8, "", "");
    for (std::uint32_t t = 0; t < s; ++t) {
      builder.connect(NodeId(static_cast<std::uint32_t>(s)), static_cast<PortNumber>(1 + t),
                      NodeId(t), static_cast<PortNumber>(s), {});
    }
  }
  for (std::uint32_t h = 0; h < 18; ++h) {
    const NodeId host =
        builder.add_adapter(0x1000 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(host, 1, NodeId(h % 6), static_cast<PortNumber>(6 + h / 6), {});
  }
  builder.assign_lids(2);
  const Fabric fabric = std::move(builder).build();
  REQUIRE(fabric.max_lid() > 64);
  ForwardingTables old_tables(fabric.switch_count(), fabric.max_lid());
  ForwardingTables new_tables = old_tables;
  std::mt19937_64 random(1);
  for (const Lid lid : fabric.lids()) {
    const Delivery to = fabric.delivery(lid);
    for (std::uint32_t s = 0; s < 6; ++s) {
      old_tables.set(SwitchId(s), lid, static_cast<PortNumber>(1 + random() % 5));
      new_tables.set(SwitchId(s), lid,
                     static_cast<PortNumber>(to.at.value() + (to.at.value() < s)));
    }
    new_tables.set(to.at, lid, to.port);
  }
  const TableMixture mixture{fabric, old_tables, new_tables};
  const TableChanges changes = table_changes(old_tables, {fabric, new_tables});
  CHECK(changes.writes.size() == 12);
  for (std::uint64_t i = 0; i < 5; ++i) compare(mixture, random_order(changes.writes, 1, i));
}

TEST_CASE("simultaneous writes are one observed step, and outages are measured in time") {
  const RoutedFabric ring = clockwise_ring();
  const ForwardingTables nothing(ring.fabric.switch_count(), ring.fabric.max_lid());
  const TableMixture mixture{ring.fabric, nothing, ring.tables};
  std::vector<BlockWrite> order;
  for (std::uint32_t s = 0; s < ring.fabric.switch_count(); ++s) order.push_back({s, 0});
  std::vector<SeenStep> steps = steps_of_order(mixture, order);
  // All switches except the last at once, and the last switch much later.
  SeenStep first{100, {}};
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    first.writes.insert(first.writes.end(), steps[i].writes.begin(), steps[i].writes.end());
  }
  steps = {first, {1'000'000, steps.back().writes}};
  const ObservedStates seen = observed_states(ring.fabric, nothing, 50, steps);
  const std::uint64_t hosts = ring.fabric.endpoints().size();
  CHECK(seen.no_route.at_first == hosts * (hosts - 1));
  CHECK(seen.no_route.flows == seen.no_route.at_first);
  CHECK(seen.no_route.longest_ns == 999'950);
  CHECK(seen.without_route.size() == 3);
  CHECK(seen.without_route[1] < seen.without_route[0]);
  CHECK(seen.without_route[1] > 0);
  CHECK(seen.without_route[2] == 0);
  CHECK(seen.loop == ObservedAffectedFlows{});
}

TEST_CASE("random write orders depend only on their seed and number") {
  const std::vector<BlockWrite> writes{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}};
  CHECK(random_order(writes, 1, 2) == random_order(writes, 1, 2));
  CHECK(random_order(writes, 1, 2) != random_order(writes, 1, 3));
}

TEST_CASE("a write order is read from a file, and irrelevant or repeated writes are ignored") {
  const RoutedFabric ring = clockwise_ring();
  const std::vector<BlockWrite> writes{{0, 0}, {2, 1}};
  const auto parse_timed = [&](const std::string& text) {
    return parse_write_order(text, "order", ring.fabric, writes);
  };
  const auto parse = [&](const std::string& text) { return parse_timed(text).writes; };
  CHECK(parse("# log\n0x202 1\n0x201 0\n\n0x202 1\n0x200 0\n") ==
        std::vector<BlockWrite>{{2, 1}, {0, 0}});
  CHECK_THROWS_WITH(parse("0x202 1\n"), Catch::Contains("1 of the 2 blocks"));
  CHECK_THROWS_WITH(parse("0x209 1\n"), Catch::Contains("order:1: the fabric"));
  for (const char* const wrong : {"202 1", "0x202", "0x202 768", "0x202 1 1", "0x 1", "\x1b[2J"}) {
    CHECK_THROWS_WITH(parse(wrong), Catch::Contains("order:1: invalid write '"));
  }
  CHECK(parse_timed("0x202 1\n0x200 0\n").times_ns.empty());
  const WriteOrder timed =
      parse_timed("0x202 1 7 us\n0x201 0 8 us\n0x202 1 9 us\n0x200 0 12000 us");
  CHECK(timed.writes == std::vector<BlockWrite>{{2, 1}, {0, 0}});
  CHECK(timed.times_ns == std::vector<std::int64_t>{7000, 12'000'000});
  CHECK_THROWS_WITH(parse("0x202 1 7 us\n0x200 0\n"), Catch::Contains("order:2: expected a time"));
  CHECK_THROWS_WITH(parse("0x202 1 7 us\n0x200 0 6 us\n"), Catch::Contains("order:2: this write"));
  for (const char* const wrong :
       {"0x202 1 7 ms", "0x202 1 us", "0x202 1 7 us 8", "0x202 1 -7 us"}) {
    CHECK_THROWS_WITH(parse(wrong), Catch::Contains("order:1: invalid write '"));
  }
}
