// Verdicts over time: a level rises at once, falls after a window, and is reported once.

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "monitor/analysis/verdict_watch.h"

using namespace pssp;

namespace {

constexpr std::int64_t second_of_watch = 1'000'000'000;

/// Two switches and one cable; the test triggers the sweeps.
class CableWatch {
 public:
  explicit CableWatch(VerdictSettings settings = {}) : watch(std::move(settings)) {
    auto map = std::make_shared<FabricMap>();
    map->nodes.push_back({1, NodeKind::switch_node, 1, 1, 0, 0, "a", 0});
    map->nodes.push_back({2, NodeKind::switch_node, 1, 2, 0, 0, "b", 1});
    map->ports.resize(2);
    for (std::uint32_t p = 0; p < 2; ++p) {
      map->ports[p].node = p;
      map->ports[p].peer = 1 - p;
      map->ports[p].rate = {4, 25'000};
      map->ports[p].state = LinkState::active;
    }
    map_ = map;
    values_.resize(2 * counter_count);
  }

  void count(Counter counter, std::uint64_t more) {
    values_[static_cast<std::size_t>(counter)] += more;
  }
  void sweep(std::int64_t seconds, bool answers = true) {
    now_ += seconds * second_of_watch;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->sweep = ++sweep_;
    snapshot->time_ms = 1'700'000'000'000 + now_ / 1'000'000;
    snapshot->begin_ns = now_;
    snapshot->map = map_;
    const auto status = answers ? PortStatus::read : PortStatus::silent;
    snapshot->status = {status, status};
    snapshot->read_ns = {answers ? now_ : 0, answers ? now_ : 0};
    const CounterMask known = answers ? all_counters : 0;
    snapshot->known = {known, known};
    snapshot->saturated = snapshot->narrow = {0, 0};
    snapshot->values = values_;
    watch.add(snapshot);
    for (VerdictRecord& each : watch.take_changes()) changes.push_back(std::move(each));
  }
  /// Both nodes stay, and the link goes down.
  void unplug() {
    auto map = std::make_shared<FabricMap>(*map_);
    for (MapPort& port : map->ports) {
      port.peer = MapPort::no_peer;
      port.state = LinkState::down;
    }
    map_ = map;
  }
  Level level(std::string_view what) const {
    for (const StandingVerdict& each : watch.standing()) {
      if (each.verdict.what == what) return each.verdict.level;
    }
    return Level::good;
  }

  VerdictWatch watch;
  std::vector<VerdictRecord> changes;

 private:
  std::shared_ptr<const FabricMap> map_;
  std::vector<std::uint64_t> values_;
  std::uint64_t sweep_ = 0;
  std::int64_t now_ = second_of_watch;
};

}  // namespace

TEST_CASE("a level rises at once and falls after a whole window below it", "[monitor]") {
  CableWatch cable;
  cable.sweep(0);
  CHECK_FALSE(cable.watch.has_verdicts());
  cable.count(Counter::receive_errors, 10);
  cable.sweep(600);
  CHECK(cable.watch.has_verdicts());
  CHECK(cable.level("receive_errors") == Level::bad);
  // The errors leave the short window after 1 to 1.5 hours, and the level falls one hour later.
  int sweeps = 0;
  while (cable.level("receive_errors") == Level::bad && sweeps < 100) {
    cable.sweep(600);
    ++sweeps;
  }
  CHECK(sweeps * 600 >= 2 * 3600);
  CHECK(sweeps * 600 <= 3 * 3600);
  REQUIRE(cable.changes.size() == 2);
  CHECK(cable.changes[0].level == Level::bad);
  CHECK_FALSE(cable.changes[0].until_ms);
  CHECK(cable.changes[1].until_ms);
  CHECK(cable.changes[1].since_ms == cable.changes[0].since_ms);
  CHECK(cable.watch.records().empty());
}

TEST_CASE("a link that goes down twice within a minute is bad, and is reported once", "[monitor]") {
  CableWatch cable;
  cable.sweep(0);
  cable.count(Counter::link_downed, 1);
  cable.sweep(10);
  CHECK(cable.level("link_downed") == Level::watch);
  for (int i = 0; i < 50; ++i) {
    cable.count(Counter::link_downed, 1);
    cable.sweep(10);
    CHECK(cable.level("link_downed") == Level::bad);
    cable.sweep(3600 * 20);
    CHECK(cable.level("link_downed") == Level::bad);
  }
  // The level watch begins and ends, then the level bad begins.
  CHECK(cable.changes.size() == 3);
}

TEST_CASE("two link failures more than a minute apart give level watch", "[monitor]") {
  CableWatch cable;
  cable.sweep(0);
  cable.count(Counter::link_downed, 1);
  cable.sweep(10);
  cable.count(Counter::link_downed, 1);
  cable.sweep(70);
  CHECK(cable.level("link_downed") == Level::watch);
  cable.count(Counter::link_downed, 1);
  cable.sweep(70);
  CHECK(cable.level("link_downed") == Level::bad);
}

TEST_CASE("a verdict from before a restart ends one window after the restart", "[monitor]") {
  CableWatch cable;
  VerdictRecord stood;
  stood.port = {1, 1};
  stood.what = "link_downed";
  stood.level = Level::bad;
  stood.since_ms = 1'600'000'000'000;
  cable.watch.restore({stood}, {});
  cable.sweep(0);
  cable.sweep(86'000);
  REQUIRE(cable.watch.standing().size() == 1);
  CHECK(cable.watch.standing()[0].since_ms == stood.since_ms);
  CHECK(cable.changes.empty());
  cable.sweep(600);
  CHECK(cable.watch.standing().empty());
  REQUIRE(cable.changes.size() == 1);
  CHECK(cable.changes[0].since_ms == stood.since_ms);
}

TEST_CASE("a port that does not answer keeps its level, and also has an unknown verdict",
          "[monitor]") {
  CableWatch cable;
  cable.sweep(0);
  cable.count(Counter::receive_errors, 10);
  cable.sweep(600);
  for (int i = 0; i < 20; ++i) cable.sweep(600, false);
  CHECK(cable.level("receive_errors") == Level::bad);
  CHECK(cable.level("readings") == Level::unknown);
  cable.sweep(600);
  cable.sweep(600);
  CHECK(cable.level("readings") == Level::good);
}

TEST_CASE("a finding remains until it is withdrawn, even if its port has no cable", "[monitor]") {
  CableWatch cable;
  const PortFinding finding{{1, 1}, Level::watch, std::string(link_cabling), "missing: a - c"};
  cable.watch.set_findings({finding, {{9, 1}, Level::bad, std::string(link_cabling), "not there"}});
  cable.sweep(0);
  cable.sweep(10);
  CHECK(cable.level(link_cabling) == Level::watch);
  CHECK(cable.watch.standing().size() == 1);
  cable.unplug();
  cable.sweep(10);
  CHECK(cable.level(link_cabling) == Level::watch);
  CHECK(cable.changes.front().reason == "missing: a - c");
  CHECK_FALSE(cable.changes.front().until_ms);
  cable.watch.set_maintenance({{1, 1, 1'700'000'000'000 + 35'000, ""}});
  cable.sweep(10);
  CHECK(cable.level(link_cabling) == Level::good);
  cable.sweep(10);
  CHECK(cable.level(link_cabling) == Level::watch);
  cable.watch.set_findings({});
  cable.sweep(10);
  CHECK(cable.level(link_cabling) == Level::good);
  CHECK(cable.changes.back().until_ms);
}

TEST_CASE("ports in maintenance, and the other ends of their cables, have no verdict",
          "[monitor]") {
  CableWatch cable;
  cable.sweep(0);
  cable.count(Counter::receive_errors, 10);
  cable.sweep(600);
  CHECK(cable.level("receive_errors") == Level::bad);
  cable.watch.set_maintenance({{2, 1, 1'700'000'000'000 + 4'000'000, ""}});
  cable.sweep(600);
  CHECK(cable.watch.standing().empty());
  CHECK(cable.changes.back().until_ms);
  cable.count(Counter::receive_errors, 10);
  for (int i = 0; i < 6; ++i) cable.sweep(600);
  CHECK(cable.level("receive_errors") == Level::bad);
}
