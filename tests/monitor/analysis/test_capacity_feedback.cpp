// Conversion of verdicts to link capacities: which links, how much, how often, and the limit on
// their number.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "fabric/formats/capacity_file.h"
#include "monitor/analysis/capacity_feedback.h"
#include "monitor/analysis/verdict_watch.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

/// 8 switches, 16 cables between switches, 16 hosts.
constexpr const char* capacity_tree = "k-ary-n-tree 4 2 --rate 4xEDR";

bool joins_switches(const FabricMap& map, const MapPort& port) {
  return port.peer != MapPort::no_peer && map.node_of(port).kind == NodeKind::switch_node &&
         map.node_of(map.ports[port.peer]).kind == NodeKind::switch_node;
}

/// For each cable between switches, the port with the smaller index.
std::vector<std::uint32_t> cables_of(const FabricMap& map) {
  std::vector<std::uint32_t> ports;
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    if (joins_switches(map, map.ports[p]) && map.ports[p].peer > p) ports.push_back(p);
  }
  return ports;
}

VerdictRecord bad(const FabricMap& map, std::uint32_t port, std::string what) {
  VerdictRecord record;
  record.port = {map.node_of(map.ports[port]).guid, map.ports[port].number};
  record.what = std::move(what);
  record.level = Level::bad;
  record.reason = "7 in 1 h\nlimit \x1b 3";
  return record;
}

}  // namespace

TEST_CASE("the capacity of a bad link depends on its verdicts", "[monitor]") {
  FabricMap map = synthetic_map(capacity_tree);
  map.nodes[0].description = "a\n0x1 1 0";
  const std::vector<std::uint32_t> cables = cables_of(map);
  REQUIRE(cables.size() == 16);
  const std::uint32_t cable = cables[0], peer = map.ports[cable].peer;
  VerdictSettings settings;
  const auto percent_of = [&](const std::vector<VerdictRecord>& standing) {
    const CapacityPlan plan = plan_capacities(map, standing, settings);
    CHECK(plan.cables == 16);
    return plan.links.empty() ? 101U : plan.links.at(0).percent;
  };
  CHECK(percent_of({}) == 101);
  CHECK(percent_of({bad(map, cable, "symbol_errors")}) == 50);
  CHECK(percent_of({bad(map, peer, "receive_errors")}) == 50);
  CHECK(percent_of({bad(map, cable, "symbol_errors"), bad(map, peer, "link_downed")}) == 0);
  CHECK(percent_of({bad(map, peer, "link_downed"), bad(map, cable, "symbol_errors")}) == 0);
  CHECK(percent_of({bad(map, cable, "width")}) == 100);
  CHECK(percent_of({bad(map, cable, "width"), bad(map, cable, "symbol_errors")}) == 50);
  CHECK(percent_of({bad(map, cable, "vl15_dropped")}) == 101);
  VerdictRecord watched = bad(map, cable, "symbol_errors");
  watched.level = Level::watch;
  CHECK(percent_of({watched}) == 101);
  settings.capacity_bad_percent = 30;
  CHECK(percent_of({bad(map, cable, "symbol_errors")}) == 30);
  VerdictRecord elsewhere = bad(map, cable, "symbol_errors");
  elsewhere.port.node = 0x77;
  CHECK(percent_of({elsewhere}) == 101);
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    if (!joins_switches(map, map.ports[p]) && map.ports[p].peer != MapPort::no_peer) {
      CHECK(percent_of({bad(map, p, "symbol_errors")}) == 101);
    }
  }
}

TEST_CASE("a capacity file is parsed as it was written, whatever the node names", "[monitor]") {
  FabricMap map = synthetic_map(capacity_tree);
  for (MapNode& node : map.nodes) node.description = "a\n0x1 1 0 \xff\x1b]0;";
  const std::vector<std::uint32_t> cables = cables_of(map);
  const CapacityPlan plan =
      plan_capacities(map, {bad(map, cables[3], "link_downed"), bad(map, cables[5], "width")}, {});
  const std::string text = capacity_text(plan, 1'700'000'000'000);
  CHECK(text.find('\x1b') == std::string::npos);
  const CapacityFile file = parse_capacities(text, "capacities");
  REQUIRE(file.links.size() == 2);
  CHECK(file.links[0].percent == 0);
  CHECK(file.links[0].node == map.node_of(map.ports[cables[3]]).guid);
  CHECK(file.links[0].port == map.ports[cables[3]].number);
  CHECK(file.links[1].percent == 100);
}

TEST_CASE("a plan that lowers more than one link in ten is refused", "[monitor]") {
  const FabricMap map = synthetic_map(capacity_tree);
  const std::vector<std::uint32_t> cables = cables_of(map);
  std::vector<VerdictRecord> standing{bad(map, cables[0], "symbol_errors"),
                                      bad(map, cables[1], "width")};
  CapacityPacer pacer(600, std::nullopt);
  CHECK_FALSE(plan_capacities(map, standing, {}).is_too_much());
  standing.push_back(bad(map, cables[2], "link_downed"));
  const CapacityPlan plan = plan_capacities(map, standing, {});
  CHECK(plan.is_too_much());
  CHECK_FALSE(pacer.offer(plan, 0));
  CHECK_THAT(pacer.problem(), Catch::Contains("2 of 16 links"));
}

TEST_CASE("the file is written when links change, within a minimum and a maximum interval",
          "[monitor]") {
  const FabricMap map = synthetic_map(capacity_tree);
  const std::vector<std::uint32_t> cables = cables_of(map);
  const CapacityPlan none = plan_capacities(map, {}, {});
  const CapacityPlan one = plan_capacities(map, {bad(map, cables[0], "width")}, {});
  constexpr std::int64_t minute = 60'000;
  CapacityPacer pacer(600, std::nullopt);
  CHECK(pacer.offer(none, 0));
  CHECK_FALSE(pacer.offer(one, 9 * minute));
  CHECK(pacer.offer(one, 10 * minute));
  CHECK_FALSE(pacer.offer(one, 30 * minute));
  CHECK(pacer.offer(one, 10 * minute + 6 * 60 * minute));
  CapacityPacer after_restart(600, 100 * minute);
  CHECK_FALSE(after_restart.offer(one, 109 * minute));
  CHECK(after_restart.offer(one, 110 * minute));
  // The clock jumps back.
  CHECK_FALSE(after_restart.offer(none, 50 * minute));
  CHECK(after_restart.offer(none, 60 * minute));
}

TEST_CASE("a link that goes up and down changes the capacities once", "[monitor]") {
  SyntheticFabric fabric(capacity_tree);
  std::uint32_t cable = 0;
  VerdictWatch watch{VerdictSettings{}};
  CapacityPacer pacer(600, std::nullopt);
  std::vector<std::size_t> lowered;  // one element per written file
  std::uint64_t falls = 0;
  // Two days. In every third hour of the first day, the link goes down twice within one sweep
  // interval of ten minutes.
  for (int i = 0; i < 6 * 48; ++i) {
    const auto sweep = fabric.next(600);
    if (i == 0) cable = cables_of(*sweep->map)[0];
    if (i < 6 * 24 && i % 18 == 5) falls += 2;
    sweep->values[std::size_t{cable} * counter_count +
                  static_cast<std::size_t>(Counter::link_downed)] += falls;
    // All ports are free of symbol errors.
    for (std::uint32_t p = 0; p < sweep->map->ports.size(); ++p) {
      sweep->values[std::size_t{p} * counter_count +
                    static_cast<std::size_t>(Counter::symbol_errors)] = 0;
    }
    watch.add(sweep);
    const CapacityPlan plan = plan_capacities(*sweep->map, watch.records(), {});
    if (pacer.offer(plan, sweep->time_ms)) lowered.push_back(plan.lowered);
  }
  // The first files lower no link; after the link has become bad, all files lower it.
  CHECK(lowered.front() == 0);
  CHECK(lowered.back() == 1);
  CHECK(std::ranges::is_sorted(lowered));
  CHECK(lowered.size() <= 2 + 8);  // also rewritten every six hours to keep it current
}
