// Fitness of nodes for jobs: each rule on a small tree whose nodes have two adapters at different
// leaves, the limit of the drain guard against an independent count, and the state after a restart.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <set>

#include "base/random.h"
#include "fabric/nodes/node_description.h"
#include "monitor/analysis/fit_watch.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

constexpr std::int64_t minute = 60'000, hour = 60 * minute;

/// A tree of four leaves with 16 adapters. Adapters h and h + 8 belong to node n(h + 1), so its two
/// rails are at different leaves. Descriptions are as on real clusters.
class SmallCluster {
 public:
  explicit SmallCluster(FitSettings settings = {}) : watch(settings, NodeNameRule(), 86'400) {
    map = synthetic_map("xgft 4,4 1,2");
    std::uint32_t h = 0;
    for (MapNode& node : map.nodes) {
      if (node.kind == NodeKind::switch_node) continue;
      const bool second = h >= 8;
      node.description = fmt::format("n{} HCA-{}", h % 8 + 1, second ? 2 : 1);
      ++h;
    }
    for (MapNode& node : map.nodes) {
      if (node.kind == NodeKind::switch_node) node.description = fmt::format("s{:x}", node.guid);
    }
    change();
  }

  /// Marks the map as changed.
  void change() {
    ++map.generation;
    ++map.hash;
    map.fabric = nullptr;
  }
  std::uint32_t adapter(const std::string& description) const {
    for (const MapNode& node : map.nodes) {
      if (node.description == description) return node.first_port;
    }
    throw std::runtime_error("no adapter " + description);
  }
  std::uint32_t leaf_port(const std::string& description) const {
    return map.ports[adapter(description)].peer;
  }
  std::string name_of(std::uint32_t port) const {
    return port_label(map.node_of(map.ports[port]).description, map.ports[port].number);
  }
  void unplug(std::uint32_t port) {
    const std::uint32_t peer = map.ports[port].peer;
    for (const std::uint32_t each : {port, peer}) {
      map.ports[each].peer = MapPort::no_peer;
      map.ports[each].state = LinkState::down;
    }
    change();
  }
  void plug(std::uint32_t a, std::uint32_t b) {
    for (const auto& [here, there] : {std::pair(a, b), std::pair(b, a)}) {
      map.ports[here].peer = there;
      map.ports[here].state = LinkState::active;
    }
    change();
  }
  void add_verdict(std::uint32_t port, Level level, std::string what) {
    verdicts.push_back({{port, level, std::move(what), "because", 0, 0}, 0});
  }
  void sweep(std::int64_t later = 10'000, bool evaluated = true) {
    now += later;
    watch.add({map, verdicts, maintenance, now}, evaluated);
    for (VerdictRecord& each : watch.take_changes()) rows.push_back(std::move(each));
    for (MonitorEvent& each : watch.take_events()) events.push_back(std::move(each));
  }
  const NodeFit& fit(const std::string& name) const {
    const NodeFit* const found = watch.list()->find(name);
    REQUIRE(found != nullptr);
    return *found;
  }
  std::string first_reason(const std::string& name) const {
    const NodeFit& found = fit(name);
    return found.reasons.empty() ? std::string() : found.reasons.front().text;
  }
  /// Names of the nodes whose level is not good.
  std::set<std::string> others() const {
    std::set<std::string> names;
    for (const NodeFit& each : watch.list()->nodes()) {
      if (each.level != Level::good) names.insert(each.name);
    }
    return names;
  }

  FabricMap map;
  FitWatch watch;
  std::vector<StandingVerdict> verdicts;
  std::vector<MaintainedPort> maintenance;
  std::vector<VerdictRecord> rows;
  std::vector<MonitorEvent> events;
  std::int64_t now = 1'700'000'000'000;
};

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("nodes are unknown before the first verdicts, and fit in a healthy cluster",
          "[monitor]") {
  SmallCluster cluster;
  cluster.sweep(10'000, false);
  CHECK(cluster.fit("n1").level == Level::unknown);
  CHECK(cluster.rows.empty());
  cluster.sweep();
  CHECK(cluster.watch.list()->nodes().size() == 8);
  CHECK(cluster.others().empty());
  CHECK(cluster.fit("N1.cluster.example").name == "n1");
  CHECK(cluster.watch.list()->find("n9") == nullptr);
  CHECK(cluster.watch.list()->find("") == nullptr);
}

TEST_CASE("a verdict on the switch port of either rail makes only that node unfit", "[monitor]") {
  for (const char* rail : {"n3 HCA-1", "n3 HCA-2"}) {
    SmallCluster cluster;
    cluster.sweep();
    const std::uint32_t port = cluster.leaf_port(rail);
    cluster.add_verdict(port, Level::bad, "symbol_errors");
    cluster.sweep();
    CHECK(cluster.others() == Names{"n3"});
    CHECK(cluster.fit("n3").level == Level::bad);
    CHECK(cluster.fit("n3").advice == DrainAdvice::drain);
    CHECK(cluster.first_reason("n3") == cluster.name_of(port) + ": symbol_errors: because");
  }
}

TEST_CASE("errors from elsewhere do not count, and discards at the switch port give level watch",
          "[monitor]") {
  SmallCluster cluster;
  cluster.sweep();
  for (const char* what :
       {"transmit_wait", "receive_remote_physical_errors", "receive_switch_relay_errors"}) {
    cluster.add_verdict(cluster.leaf_port("n1 HCA-1"), Level::watch, what);
  }
  cluster.add_verdict(cluster.leaf_port("n2 HCA-1"), Level::bad, "transmit_discards");
  cluster.add_verdict(cluster.adapter("n4 HCA-2"), Level::unknown, "readings");
  cluster.add_verdict(cluster.adapter("n5 HCA-2"), Level::unknown, "link_downed");
  cluster.sweep();
  CHECK(cluster.others() == Names{"n2", "n4", "n5"});
  CHECK(cluster.fit("n2").level == Level::watch);
  CHECK(cluster.fit("n2").advice == DrainAdvice::none);
  CHECK(cluster.fit("n4").level == Level::unknown);
  CHECK(cluster.fit("n5").level == Level::watch);
}

TEST_CASE("a verdict on a cable between switches concerns no node", "[monitor]") {
  SmallCluster cluster;
  cluster.sweep();
  for (std::uint32_t p = 0; p < cluster.map.ports.size(); ++p) {
    const MapPort& port = cluster.map.ports[p];
    const auto is_switch = [&](const MapPort& at) {
      return cluster.map.node_of(at).kind == NodeKind::switch_node;
    };
    if (port.peer != MapPort::no_peer && is_switch(port) &&
        is_switch(cluster.map.ports[port.peer])) {
      cluster.add_verdict(p, Level::bad, "symbol_errors");
    }
  }
  REQUIRE_FALSE(cluster.verdicts.empty());
  cluster.sweep();
  CHECK(cluster.others().empty());
}

TEST_CASE("a missing adapter is reported with its last known port", "[monitor]") {
  SmallCluster cluster;
  cluster.sweep();
  const std::uint32_t adapter = cluster.adapter("n6 HCA-2"), leaf = cluster.leaf_port("n6 HCA-2");
  const std::string place = cluster.name_of(leaf);
  cluster.unplug(adapter);
  cluster.sweep();
  CHECK(cluster.others() == Names{"n6"});
  CHECK(cluster.first_reason("n6") ==
        place + ": HCA-2 is no longer in the fabric: check its power, its cable and its adapter");
  cluster.unplug(cluster.adapter("n6 HCA-1"));
  cluster.sweep();
  CHECK(cluster.fit("n6").reasons.size() == 2);
  CHECK(cluster.fit("n6").level == Level::bad);
  // With HCA-2 plugged in again, only HCA-1 is missing.
  cluster.plug(adapter, leaf);
  cluster.sweep();
  CHECK(cluster.fit("n6").reasons.size() == 1);
}

TEST_CASE("without history, a missing rail is found by comparison with the peer group",
          "[monitor]") {
  SmallCluster cluster;
  cluster.unplug(cluster.adapter("n6 HCA-2"));
  cluster.sweep();
  CHECK(cluster.others() == Names{"n6"});
  CHECK(cluster.first_reason("n6") == "HCA-2 is missing, but 7 peers have it");
}

TEST_CASE("an adapter that is missing for more than a day is no longer expected", "[monitor]") {
  SmallCluster cluster;
  for (int h = 1; h <= 8; ++h) {
    if (h > 2) cluster.unplug(cluster.adapter(fmt::format("n{} HCA-2", h)));
  }
  cluster.sweep();  // two of eight nodes have a second rail: too few to expect it of all
  cluster.unplug(cluster.adapter("n1 HCA-2"));
  cluster.sweep();
  CHECK(cluster.fit("n1").level == Level::bad);
  cluster.sweep(23 * hour);
  CHECK(cluster.fit("n1").level == Level::bad);
  cluster.sweep(2 * hour);
  CHECK(cluster.fit("n1").level == Level::good);
}

TEST_CASE("a link that is slower than the links of the peer group gives level watch", "[monitor]") {
  SmallCluster cluster;
  const std::uint32_t adapter = cluster.adapter("n2 HCA-1");
  for (const std::uint32_t port : {adapter, cluster.map.ports[adapter].peer}) {
    cluster.map.ports[port].rate.lanes = 2;
  }
  cluster.change();
  cluster.sweep();
  CHECK(cluster.others() == Names{"n2"});
  CHECK(cluster.fit("n2").level == Level::watch);
  CHECK(cluster.first_reason("n2").starts_with(cluster.name_of(cluster.leaf_port("n2 HCA-1")) +
                                               " runs at 2x"));
}

TEST_CASE("all nodes of a leaf with less than half of its uplinks are unfit", "[monitor]") {
  SmallCluster cluster;
  cluster.sweep();
  const std::uint32_t leaf = cluster.map.ports[cluster.leaf_port("n1 HCA-1")].node;
  Names there;
  std::vector<std::uint32_t> uplinks;
  const MapNode& node = cluster.map.nodes[leaf];
  for (unsigned i = 0; i < node.ports; ++i) {
    const std::uint32_t peer = cluster.map.ports[node.first_port + i].peer;
    const MapNode& other = cluster.map.node_of(cluster.map.ports[peer]);
    if (other.kind == NodeKind::switch_node) {
      uplinks.push_back(node.first_port + i);
    } else {
      there.insert(other.description.substr(0, 2));
    }
  }
  REQUIRE(uplinks.size() == 2);
  cluster.unplug(uplinks[0]);
  cluster.sweep();
  CHECK(cluster.others().empty());  // exactly half is enough
  cluster.unplug(uplinks[1]);
  cluster.sweep();
  CHECK(cluster.others() == there);
  for (const std::string& name : there) CHECK(cluster.fit(name).level == Level::bad);
  CHECK(cluster.first_reason("n1").ends_with("has 0 of its 2 links to other switches"));
}

TEST_CASE("maintenance at either end of a cable is a reason, with its end time", "[monitor]") {
  SmallCluster cluster;
  const MapPort& leaf = cluster.map.ports[cluster.leaf_port("n7 HCA-2")];
  cluster.maintenance.push_back(
      {cluster.map.node_of(leaf).guid, leaf.number, 1'800'000'000'000, "cable <b>"});
  cluster.sweep();
  CHECK(cluster.others() == Names{"n7"});
  CHECK(
      cluster.first_reason("n7").ends_with("in maintenance until 2027-01-15T08:00:00Z: cable <b>"));
}

TEST_CASE("an adapter with a factory name is a separate node, and is never drained", "[monitor]") {
  SmallCluster cluster;
  std::vector<std::uint32_t> adapters;
  for (const char* name : {"n1 HCA-1", "n1 HCA-2", "n2 HCA-1", "n2 HCA-2"}) {
    adapters.push_back(cluster.adapter(name));
  }
  for (const std::uint32_t port : adapters) {
    cluster.map.nodes[cluster.map.ports[port].node].description =
        "MT4123 ConnectX6   Mellanox Technologies";
  }
  cluster.change();
  cluster.sweep();
  CHECK(cluster.watch.list()->nodes().size() == 10);
  CHECK(cluster.watch.list()->find("mt4123") == nullptr);
  CHECK(cluster.watch.list()->find("MT4123") == nullptr);
  cluster.add_verdict(adapters[0], Level::bad, "symbol_errors");
  cluster.sweep();
  REQUIRE(cluster.others().size() == 1);
  const NodeFit& bad = cluster.fit(*cluster.others().begin());
  CHECK(bad.level == Level::bad);
  CHECK(bad.advice == DrainAdvice::none);
  // If the adapter gets its proper name later, its old name is not reported as missing.
  cluster.map.nodes[cluster.map.ports[adapters[2]].node].description = "n2 HCA-1";
  cluster.change();
  cluster.sweep();
  CHECK(cluster.others().size() == 2);  // n2 lacks its second adapter
  CHECK(cluster.fit("n2").level == Level::bad);
}

TEST_CASE("the drain guard lets two of three unfit nodes be drained, in the order of their names",
          "[monitor]") {
  SmallCluster cluster({2, 0});
  cluster.sweep();
  for (const int n : {8, 1, 5}) {
    cluster.add_verdict(cluster.adapter(fmt::format("n{} HCA-1", n)), Level::bad, "symbol_errors");
  }
  cluster.sweep();
  CHECK(cluster.fit("n1").advice == DrainAdvice::drain);
  CHECK(cluster.fit("n5").advice == DrainAdvice::drain);
  CHECK(cluster.fit("n8").advice == DrainAdvice::held_back);
  REQUIRE(cluster.events.size() == 1);
  CHECK(cluster.events[0].kind == EventKind::drain_held_back);
  CHECK(cluster.events[0].text ==
        "a node became unfit for jobs and is not drained, because too many nodes became unfit "
        "within an hour: n8");
  // Advice to hold back a node persists, also through sweeps without verdicts.
  cluster.sweep(2 * hour);
  cluster.sweep(10'000, false);
  CHECK(cluster.fit("n8").advice == DrainAdvice::none);
  cluster.sweep();
  CHECK(cluster.fit("n8").advice == DrainAdvice::held_back);
  CHECK(cluster.fit("n1").advice == DrainAdvice::drain);
  CHECK(cluster.events.size() == 1);
}

TEST_CASE("within any hour, the guard drains at most the permitted number of nodes", "[monitor]") {
  RandomGenerator random(7, 0);
  for (const FitSettings settings : {FitSettings{5, 2}, FitSettings{0, 0}, FitSettings{1, 3}}) {
    constexpr std::size_t nodes = 400;
    const std::size_t allowed =
        std::max<std::size_t>(settings.most_drained, nodes * settings.most_drained_percent / 100);
    DrainGuard guard(settings);
    std::deque<std::pair<std::int64_t, std::string>> let;
    std::size_t held = 0;
    for (std::int64_t now = 0, turn = 0; turn < 3'000; ++turn) {
      now += static_cast<std::int64_t>(random.below(4 * minute));
      const std::string name = fmt::format("n{}", random.below(40));
      const DrainAdvice advice = guard.turns_unfit(name, now, nodes);
      while (!let.empty() && let.front().first <= now - hour) let.pop_front();
      std::set<std::string> distinct;
      for (const auto& [time, each] : let) distinct.insert(each);
      if (advice == DrainAdvice::drain) {
        let.emplace_back(now, name);
        distinct.insert(name);
        REQUIRE(distinct.size() <= allowed);
      } else {
        ++held;
        // No node is held back while the limit is not reached.
        REQUIRE(distinct.size() >= allowed);
        REQUIRE_FALSE(distinct.contains(name));
      }
    }
    CHECK(held > 0);
  }
}

TEST_CASE("fitness, drain advice and the drain limit persist across a restart", "[monitor]") {
  SmallCluster before({1, 0});
  before.sweep();
  const std::string place = before.name_of(before.leaf_port("n2 HCA-1"));
  before.add_verdict(before.adapter("n1 HCA-1"), Level::bad, "symbol_errors");
  const FabricMap whole = before.map;
  before.unplug(before.adapter("n2 HCA-1"));
  before.sweep();
  REQUIRE(before.fit("n1").advice == DrainAdvice::drain);
  REQUIRE(before.fit("n2").advice == DrainAdvice::held_back);

  SmallCluster after({1, 0});
  after.now = before.now + 10 * minute;
  after.map = before.map;
  after.verdicts = before.verdicts;
  after.watch.restore_positions(whole, before.now - minute);
  after.watch.restore_positions(before.map, before.now);
  after.watch.restore(before.rows);
  after.sweep(10'000, false);
  CHECK(after.rows.size() <= 1);  // a sweep without verdicts may end at most one row
  after.add_verdict(after.adapter("n3 HCA-1"), Level::bad, "symbol_errors");
  after.sweep();
  CHECK(after.fit("n1").advice == DrainAdvice::drain);
  CHECK(after.fit("n1").since_ms == before.fit("n1").since_ms);
  CHECK(after.fit("n2").advice == DrainAdvice::held_back);
  CHECK(after.first_reason("n2").starts_with(place));
  CHECK(after.fit("n3").advice == DrainAdvice::held_back);  // n1 has used the limit for this hour
  after.verdicts.pop_back();
  after.sweep(hour);
  CHECK(after.fit("n3").level == Level::good);
  after.add_verdict(after.adapter("n3 HCA-1"), Level::bad, "symbol_errors");
  after.sweep();
  CHECK(after.fit("n3").advice == DrainAdvice::drain);
}
