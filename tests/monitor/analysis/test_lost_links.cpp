// Ports that should be up: the verdict, the end that gets it, and when it ends.

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "monitor/analysis/incident_parts.h"
#include "monitor/analysis/lost_links.h"
#include "monitor/analysis/verdict_watch.h"

using namespace pssp;

namespace {

constexpr std::int64_t second = 1'000'000'000;

/// Two switches with a cable (ports 0 and 1), and a host at the second switch (ports 2 and 3).
std::shared_ptr<FabricMap> whole_map() {
  auto map = std::make_shared<FabricMap>();
  map->nodes.push_back({1, NodeKind::switch_node, 1, 1, 0, 0, "a", 0});
  map->nodes.push_back({2, NodeKind::switch_node, 2, 2, 0, 0, "b", 1});
  map->nodes.push_back({3, NodeKind::channel_adapter, 1, 3, 0, 0, "h\x1b", 3});
  map->ports.resize(4);
  for (std::uint32_t p = 0; p < 4; ++p) {
    map->ports[p].node = p == 0 ? 0 : p == 3 ? 2 : 1;
    map->ports[p].number = p == 2 ? 2 : 1;
    map->ports[p].peer = p ^ 1U;
    map->ports[p].rate = {4, 25'000};
    map->ports[p].state = LinkState::active;
    map->ports[p].physical = PhysicalState::link_up;
  }
  return map;
}

void take_out(FabricMap& map, std::uint32_t port) {
  for (const std::uint32_t p : {port, port ^ 1U}) {
    map.ports[p].state = LinkState::down;
    map.ports[p].physical = PhysicalState::polling;
    map.ports[p].peer = MapPort::no_peer;
  }
}

Snapshot sweep_of(const std::shared_ptr<const FabricMap>& map, std::int64_t seconds) {
  Snapshot snapshot;
  snapshot.map = map;
  snapshot.begin_ns = seconds * second;
  snapshot.time_ms = 1'700'000'000'000 + seconds * 1000;
  const std::size_t ports = map->ports.size();
  snapshot.status.assign(ports, PortStatus::read);
  snapshot.read_ns.assign(ports, snapshot.begin_ns);
  snapshot.known.assign(ports, all_counters);
  snapshot.saturated.assign(ports, 0);
  snapshot.narrow.assign(ports, 0);
  snapshot.values.assign(ports * counter_count, 0);
  return snapshot;
}

}  // namespace

TEST_CASE("a link that went down is reported at one end until it is up again", "[monitor]") {
  LostLinks links;
  const auto whole = whole_map(), cut = whole_map();
  take_out(*cut, 0);
  links.add(sweep_of(whole, 0));
  CHECK(links.lost(sweep_of(whole, 0)).empty());
  links.add(sweep_of(cut, 10));
  const std::vector<LostLink> lost = links.lost(sweep_of(cut, 10));
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].verdict.port == 0);
  CHECK(lost[0].verdict.level == Level::bad);
  CHECK(lost[0].verdict.what == link_state);
  CHECK(lost[0].peer == PortKey{2, 1});
  CHECK_THAT(lost[0].verdict.reason, Catch::StartsWith("the link to b port 1 is down"));
  links.add(sweep_of(whole, 20));
  CHECK(links.lost(sweep_of(whole, 20)).empty());
}

TEST_CASE("the name of a node does not become part of the advice", "[monitor]") {
  LostLinks links;
  const auto whole = whole_map(), cut = whole_map();
  whole->nodes[1].description = "b: : replace me";
  take_out(*cut, 0);
  links.add(sweep_of(whole, 0));
  links.add(sweep_of(cut, 10));
  const std::vector<LostLink> lost = links.lost(sweep_of(cut, 10));
  REQUIRE(lost.size() == 1);
  CHECK(advice_in(lost[0].verdict.reason) == "check the cable and both switches");
}

TEST_CASE("a host that is gone is reported at its switch port without a time limit", "[monitor]") {
  LostLinks links;
  const auto whole = whole_map(), without = whole_map();
  take_out(*without, 2);
  without->nodes.pop_back();
  without->ports.pop_back();
  links.add(sweep_of(whole, 0));
  links.add(sweep_of(without, 10));
  const std::vector<LostLink> lost = links.lost(sweep_of(without, 10));
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].verdict.port == 2);
  CHECK(lost[0].verdict.level == Level::watch);
  CHECK_THAT(lost[0].verdict.reason, Catch::Contains("h\\u{1b} port 1"));
  constexpr std::int64_t year = 31'536'000;
  const auto again = std::make_shared<FabricMap>(*without);  // read again, same topology
  links.add(sweep_of(again, year));
  CHECK(links.lost(sweep_of(again, year)).size() == 1);
}

TEST_CASE("a port is no longer reported once its host is cabled to another port", "[monitor]") {
  const auto whole = whole_map(), moved = whole_map();
  take_out(*moved, 2);
  // The cable of the host moves to the free port of the first switch.
  moved->ports[0].peer = 3;
  moved->ports[3].peer = 0;
  moved->ports[3].state = LinkState::active;
  const auto cut = whole_map();
  take_out(*cut, 2);
  LostLinks links;
  SECTION("while the monitor runs") {
    links.add(sweep_of(whole, 0));
    links.add(sweep_of(cut, 10));
    CHECK(links.lost(sweep_of(cut, 10)).size() == 1);
  }
  SECTION("after a restart") {
    links.restore({2, 2}, {3, 1}, Level::watch, "the link is down");
    links.add(sweep_of(cut, 10));
    CHECK(links.lost(sweep_of(cut, 10)).size() == 1);
  }
  links.add(sweep_of(moved, 20));
  CHECK(links.lost(sweep_of(moved, 20)).empty());
}

TEST_CASE("a disabled port is reported at neither end", "[monitor]") {
  LostLinks links;
  const auto whole = whole_map(), off = whole_map();
  take_out(*off, 0);
  off->ports[1].physical = PhysicalState::disabled;
  links.add(sweep_of(whole, 0));
  links.add(sweep_of(off, 10));
  CHECK(links.lost(sweep_of(off, 10)).empty());
}

TEST_CASE("a link that stays in state initialize suggests a missing subnet manager", "[monitor]") {
  LostLinks links;
  const auto whole = whole_map(), waiting = whole_map();
  for (const std::uint32_t p : {0, 1}) waiting->ports[p].state = LinkState::initialize;
  links.add(sweep_of(whole, 0));
  links.add(sweep_of(waiting, 10));
  const std::vector<LostLink> lost = links.lost(sweep_of(waiting, 10));
  REQUIRE(lost.size() == 1);
  CHECK_THAT(lost[0].verdict.reason,
             Catch::Contains("initialize: check that a subnet manager runs"));
}

TEST_CASE("a lost link is a verdict, also after a restart, but not during maintenance",
          "[monitor]") {
  const auto whole = whole_map(), cut = whole_map();
  take_out(*cut, 0);
  VerdictWatch watch{VerdictSettings{}};
  const auto sweep = [](VerdictWatch& to, const std::shared_ptr<FabricMap>& map, int seconds) {
    to.add(std::make_shared<const Snapshot>(sweep_of(map, seconds)));
  };
  sweep(watch, whole, 0);
  sweep(watch, cut, 10);
  REQUIRE(watch.standing().size() == 1);
  CHECK(watch.standing()[0].verdict.level == Level::bad);
  const std::vector<VerdictRecord> records = watch.records();
  REQUIRE(records.size() == 1);

  VerdictWatch later{VerdictSettings{}};
  later.restore(records, {});
  for (const int seconds : {1000, 1010, 1020}) sweep(later, cut, seconds);
  REQUIRE(later.standing().size() == 1);
  CHECK(later.standing()[0].verdict.reason == watch.standing()[0].verdict.reason);
  sweep(later, whole, 1030);
  CHECK(later.standing().empty());

  // The maintenance list names the other end of the cable.
  watch.set_maintenance({{2, 1, 1'800'000'000'000, "moved"}});
  sweep(watch, cut, 20);
  CHECK(watch.standing().empty());
}

TEST_CASE("damage sorts before unknown states, and unknown states before congestion", "[monitor]") {
  std::vector<Verdict> verdicts{{0, Level::watch, "transmit_wait", "", 0, 0},
                                {1, Level::unknown, "readings", "", 0, 0},
                                {2, Level::watch, "link_error_recoveries", "", 0, 0},
                                {3, Level::bad, "symbol_errors", "", 0, 0},
                                {2, Level::watch, "transmit_wait", "", 0, 0}};
  sort_verdicts(verdicts);
  std::vector<std::uint32_t> ports;
  for (const Verdict& each : verdicts) ports.push_back(each.port);
  CHECK(ports == std::vector<std::uint32_t>{3, 2, 1, 0, 2});
}
