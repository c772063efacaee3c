// Compares flows and channel loads before and after a table change with a naive implementation and
// with values calculated by hand.

#include <catch2/catch.hpp>
#include <map>

#include "base/error.h"
#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/flow_changes.h"
#include "tests/evaluator/rerouting/damaged_fabric.h"
#include "tests/evaluator/rerouting/naive_rerouting.h"

using namespace pssp;
using namespace pssp::test;

namespace {

RouteChanges changes_of(const RoutedFabric& before, const RoutedFabric& after,
                        const PatternLevels* traffic = nullptr) {
  const FabricChange change(before.fabric, after.fabric);
  return route_changes(change, {before.fabric, before.tables}, {after.fabric, after.tables},
                       traffic);
}

NaivePath ends_of(const Fabric& fabric, ChannelId c) {
  const auto guid = [&](std::uint32_t s) { return fabric.switch_at(SwitchId(s)).guid; };
  return {{guid(fabric.channel_tail()[c.value()]), fabric.channel_out_port()[c.value()]},
          {guid(fabric.channel_head()[c.value()]), fabric.channel_in_port()[c.value()]}};
}

void compare_loads(const DamagedFabric& each, const RouteChanges& ours, const NaiveChanges& naive) {
  std::uint64_t largest_before = 0, largest_after = 0;
  std::map<NaivePath, std::pair<std::uint64_t, std::uint64_t>> changed;
  for (const auto& [ends, load] : naive.loads) {
    largest_before = std::max(largest_before, load.first);
    largest_after = std::max(largest_after, load.second);
    const double difference = static_cast<double>(load.second) - static_cast<double>(load.first);
    if (std::abs(difference) > .25 * static_cast<double>(load.first)) changed[ends] = load;
  }
  CHECK(ours.loads.largest_before == largest_before);
  CHECK(ours.loads.largest_after == largest_after);
  CHECK(ours.loads.changed.size() == changed.size());
  for (const ChannelLoadChange& channel : ours.loads.changed) {
    const NaivePath ends = channel.before.valid() ? ends_of(each.before.fabric, channel.before)
                                                  : ends_of(each.after.fabric, channel.after);
    CHECK(changed[ends] == std::pair(channel.load_before, channel.load_after));
  }
}

/// Whether FabricChange accepts both states as the same fabric. Damage to a tiny fabric can leave
/// too little in common.
bool is_one_fabric(const DamagedFabric& each) {
  try {
    const FabricChange change(each.before.fabric, each.after.fabric);
    return true;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::mismatch);
    return false;
  }
}

}  // namespace

TEST_CASE("flow and load changes match a naive implementation on damaged fabrics") {
  int compared = 0;
  std::uint64_t moved = 0, lost = 0, gained = 0;
  for (std::uint64_t seed = 1; compared < 50; ++seed) {
    const DamagedFabric each = damaged_fabric(seed);
    if (!is_one_fabric(each)) continue;
    ++compared;
    INFO("seed " << seed);
    const RouteChanges ours = changes_of(each.before, each.after);
    NaiveChanges naive =
        naive_changes(each.before.fabric, each.before.tables, each.after.fabric, each.after.tables);
    CHECK(ours.flows.same.flows == naive.flows["same"]);
    CHECK(ours.flows.moved.flows == naive.flows["moved"]);
    CHECK(ours.flows.longer.flows == naive.flows["longer"]);
    CHECK(ours.flows.lost.flows == naive.flows["lost"]);
    CHECK(ours.flows.gained.flows == naive.flows["gained"]);
    CHECK(ours.flows.unrouted.flows == naive.flows["unrouted"]);
    compare_loads(each, ours, naive);
    moved += ours.flows.moved.flows;
    lost += ours.flows.lost.flows;
    gained += ours.flows.gained.flows;
  }
  CHECK(moved > 1000);
  CHECK(lost > 1000);
  CHECK(gained > 100);
}

TEST_CASE("flow changes count the flows and bytes of a traffic file") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const DamagedFabric each = damaged_fabric(seed);
    if (!is_one_fabric(each)) continue;
    const auto hosts = static_cast<std::uint32_t>(each.before.fabric.endpoints().size());
    PatternLevels all;
    for (std::uint32_t a = 0; a < hosts; ++a) {
      for (std::uint32_t b = 0; b < hosts; ++b) {
        if (a == b) continue;
        all.flows.push_back({a, b});
        all.bytes.push_back(10);
      }
    }
    const RouteChanges pairs = changes_of(each.before, each.after);
    const RouteChanges flows = changes_of(each.before, each.after, &all);
    CHECK(flows.flows.moved.flows == pairs.flows.moved.flows);
    CHECK(flows.flows.lost.bytes == 10 * pairs.flows.lost.flows);
    CHECK(flows.loads.largest_before == 10 * pairs.loads.largest_before);
    CHECK(flows.loads.changed.size() == pairs.loads.changed.size());
  }
}

TEST_CASE("identical tables give no flow changes and no table changes") {
  const RoutedFabric fabric = cluster_2008_figure_1();
  const RouteChanges changes = changes_of(fabric, fabric);
  CHECK(changes.flows.all.flows == 240);
  CHECK(changes.flows.same == changes.flows.all);
  CHECK(changes.loads.changed.empty());
  CHECK(changes.loads.channels == 32);
  const RoutedState state{fabric.fabric, fabric.tables};
  CHECK(table_changes(fabric.tables, state).writes.empty());
}

TEST_CASE("a path over a parallel cable counts as a moved flow") {
  const RoutedFabric before = cluster_2008_figure_1();
  RoutedFabric after = cluster_2008_figure_1();
  // At leaf 0, traffic to host 16 moves from cable 0 to cable 1, which leads to the same upper
  // switch.
  const Lid lid = after.fabric.end_port(EndPortId(15)).lid;
  REQUIRE(after.tables.at(SwitchId(0), lid) == 5);
  after.tables.set(SwitchId(0), lid, 6);
  ServiceLevels levels = level_zero(before.tables);
  ServiceLevels other = levels;
  other.set(SwitchId(1), lid, 1);
  const FabricChange change(before.fabric, after.fabric);
  const RouteChanges changes = route_changes(change, {before.fabric, before.tables, &levels},
                                             {after.fabric, after.tables, &other});
  CHECK(changes.flows.moved.flows == 4);
  CHECK(changes.flows.longer.flows == 0);
  CHECK(changes.flows.lane.flows == 4);
  const TableChanges tables = table_changes(before.tables, {after.fabric, after.tables});
  CHECK(tables.entries == 1);
  CHECK(tables.switches == 1);
  CHECK(tables.writes == std::vector<BlockWrite>{{0, lid / lids_per_block}});
}

TEST_CASE("FabricChange refuses two unrelated fabrics") {
  const RoutedFabric one = cluster_2008_figure_1();
  const RoutedFabric other = chain(12);
  CHECK_THROWS_AS(FabricChange(one.fabric, other.fabric), Error);
}
