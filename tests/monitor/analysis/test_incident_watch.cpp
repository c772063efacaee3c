// Conversion of verdicts to faults: one fault per cable or node, for verdicts at either end.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>

#include "monitor/analysis/incident_watch.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

/// Leaves gaps between GUIDs, so that a test can replace a node.
FabricMap spread_map() {
  FabricMap map = synthetic_map("xgft 4,2 1,2");
  for (MapNode& node : map.nodes) node.guid *= 16;
  return map;
}

class Faults {
 public:
  explicit Faults(FabricMap first = spread_map()) : map(std::move(first)) { take(map); }

  void take(const FabricMap& now) {
    snapshot_.map = std::make_shared<const FabricMap>(now);
    snapshot_.status.assign(now.ports.size(), PortStatus::read);
    list();
  }
  /// Takes the next sweep, in which nodes that satisfy `is_silent` do not answer.
  template <class IsSilent>
  void sweep(std::int64_t time_ms, const IsSilent& is_silent) {
    snapshot_.time_ms = time_ms;
    std::erase_if(standing_,
                  [](const StandingVerdict& each) { return each.verdict.what == "readings"; });
    for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
      const MapNode& node = map.node_of(map.ports[p]);
      const auto [since, is_new] = silent_since_.try_emplace(node.guid, time_ms);
      snapshot_.status[p] = is_silent(node) ? PortStatus::silent : PortStatus::read;
      if (!is_silent(node)) {
        silent_since_.erase(since);
      } else {
        add(p, Level::unknown, "readings", "the node does not respond: check its power",
            since->second);
      }
    }
  }
  void restore(const std::map<PortKey, IncidentPort>& peers) { watch_.restore(peers); }
  void add(std::uint32_t port, Level level, std::string what, std::string reason,
           std::int64_t since_ms = 1000) {
    standing_.push_back({{port, level, std::move(what), std::move(reason), 31, 10}, since_ms});
  }
  std::shared_ptr<const IncidentList> list() {
    const std::vector<PortDifference> none(snapshot_.map->ports.size());
    return watch_.add({snapshot_, none, standing_,
                       std::make_shared<const std::vector<RunningJob>>(jobs), tables});
  }
  /// The first port of a node of this kind with a cable to a switch.
  std::uint32_t port_at(NodeKind kind) const {
    for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
      const std::uint32_t peer = map.ports[p].peer;
      if (peer == MapPort::no_peer || map.node_of(map.ports[p]).kind != kind) continue;
      if (map.node_of(map.ports[peer]).kind == NodeKind::switch_node) return p;
    }
    return MapPort::no_peer;
  }
  std::string key_text(std::uint32_t port) const {
    return fmt::format("{:016x}-{}", map.node_of(map.ports[port]).guid, map.ports[port].number);
  }
  /// The fault id of the cable at this port.
  std::string id_of(std::uint32_t port) const {
    const std::uint32_t peer = map.ports[port].peer;
    return map.ports[port].node < map.ports[peer].node ? key_text(port) : key_text(peer);
  }
  /// The same fabric without the cables whose ports satisfy `is_gone`.
  template <class IsGone>
  FabricMap without(const IsGone& is_gone) const {
    FabricMap now = map;
    for (std::uint32_t p = 0; p < now.ports.size(); ++p) {
      if (map.ports[p].peer == MapPort::no_peer) continue;
      if (!is_gone(p) && !is_gone(map.ports[p].peer)) continue;
      now.ports[p].peer = MapPort::no_peer;
      now.ports[p].state = LinkState::down;
    }
    return now;
  }

 private:
  Snapshot snapshot_;
  std::vector<StandingVerdict> standing_;
  std::map<Guid, std::int64_t> silent_since_;
  IncidentWatch watch_;

 public:
  const FabricMap map;
  std::vector<RunningJob> jobs;
  std::shared_ptr<LiveTables> tables;
};

}  // namespace

TEST_CASE("verdicts on both ends of a cable are one fault, with the worst verdict first") {
  Faults faults;
  const std::uint32_t port = faults.port_at(NodeKind::switch_node);
  const std::uint32_t peer = faults.map.ports[port].peer;
  faults.add(port, Level::watch, "link_downed", "1 in 1 d, limit 1: check the cable", 3000);
  faults.add(peer, Level::bad, "symbol_errors", "31 in 1 h, limit 10: reseat the cable", 2000);
  const auto list = faults.list();
  REQUIRE(list->faults.size() == 1);
  const FabricFault& fault = list->faults[0];
  CHECK(fault.id == faults.id_of(port));
  CHECK(fault.kind == FaultKind::errors);
  CHECK(fault.level == Level::bad);
  CHECK(fault.since_ms == 2000);
  REQUIRE(fault.findings.size() == 2);
  CHECK(fault.findings[0].what == "symbol_errors");
  CHECK(fault.findings[0].measured == "31 in 1 h, limit 10");
  CHECK(fault.advice == "reseat the cable");
  REQUIRE(fault.peer);
  CHECK(fault.end.key < fault.peer->key);
}

TEST_CASE("faults are sorted by level, kind and age, and congestion is not a fault") {
  Faults faults;
  const std::uint32_t first = faults.port_at(NodeKind::switch_node);
  const std::uint32_t second = faults.port_at(NodeKind::channel_adapter);
  const Level level = GENERATE(Level::bad, Level::watch);
  const std::string what = GENERATE("width", "symbol_errors");
  faults.add(first, Level::bad, what, "width 1x, but both ends support 4x: reseat", 1000);
  faults.add(second, level, "receive_errors", "3 in 1 h, limit 1: reseat", 9000);
  faults.add(second, Level::watch, "transmit_wait", "waited 62 %: congestion", 9500);
  const auto list = faults.list();
  REQUIRE(list->faults.size() == 2);
  // A degraded width comes before errors, even if it is older.
  const bool is_newer_first = level == Level::bad && what != "width";
  const FabricFault& newer = list->faults[is_newer_first ? 0 : 1];
  CHECK(newer.id == faults.id_of(second));
  CHECK(newer.findings.size() == 1);
  CHECK(list->faults[is_newer_first ? 1 : 0].findings[0].what == what);
  CHECK(list->congestion.size() == 1);
}

TEST_CASE("a link that is down keeps its id and both ends") {
  Faults faults;
  const std::uint32_t port = faults.port_at(NodeKind::switch_node);
  const std::string id = faults.id_of(port);
  faults.take(faults.without([&](std::uint32_t p) { return p == port; }));
  faults.add(port, Level::bad, std::string(link_state), "the link is down: check");
  const auto list = faults.list();
  REQUIRE(list->faults.size() == 1);
  CHECK(list->faults[0].id == id);
  CHECK(list->faults[0].kind == FaultKind::link_down);
  REQUIRE(list->faults[0].peer);
}

TEST_CASE("links that went down with their switch are one fault of the switch") {
  Faults faults;
  const std::uint32_t gone = faults.map.ports[faults.port_at(NodeKind::channel_adapter)].peer;
  const std::uint32_t node = faults.map.ports[gone].node;
  FabricMap now = faults.without([&](std::uint32_t p) { return faults.map.ports[p].node == node; });
  std::vector<std::uint32_t> ends;
  for (std::uint32_t p = 0; p < faults.map.ports.size(); ++p) {
    const std::uint32_t peer = faults.map.ports[p].peer;
    if (peer != MapPort::no_peer && faults.map.ports[peer].node == node) ends.push_back(p);
  }
  const Guid guid = now.nodes[node].guid;
  ++now.nodes[node].guid;  // a replacement node without any links
  faults.take(now);
  for (const std::uint32_t end : ends) {
    faults.add(end, Level::bad, std::string(link_state), "is down: check");
  }
  const auto list = faults.list();
  REQUIRE(list->faults.size() == 1);
  CHECK(list->faults[0].kind == FaultKind::node_down);
  CHECK(list->faults[0].end.key == PortKey{guid, 0});
  CHECK(list->faults[0].findings.size() == ends.size());
}

TEST_CASE("a node that does not answer is one fault, however many ports it has") {
  Faults faults;
  const std::uint32_t first = faults.port_at(NodeKind::switch_node);
  const std::uint32_t node = faults.map.ports[first].node;
  for (std::uint32_t i = 0; i < faults.map.nodes[node].ports; ++i) {
    faults.add(faults.map.nodes[node].first_port + i, Level::unknown, "readings",
               "the node does not respond: check its power");
  }
  const auto list = faults.list();
  REQUIRE(list->faults.size() == 1);
  CHECK(list->faults[0].kind == FaultKind::not_responding);
  CHECK_FALSE(list->faults[0].peer);
}

TEST_CASE("a fabric in which no node answers is one fault") {
  Faults faults;
  const auto is_switch = [](const MapNode& node) { return node.kind == NodeKind::switch_node; };
  const auto first_of = [&](NodeKind kind) {
    return &faults.map.node_of(faults.map.ports[faults.port_at(kind)]);
  };
  const auto is_own = [own = first_of(NodeKind::channel_adapter)](const MapNode& node) {
    return &node == own;
  };
  const auto one = [first = first_of(NodeKind::switch_node)](const MapNode& node) {
    return &node == first;
  };
  const auto all = [](const MapNode&) { return true; };
  const auto none = [](const MapNode&) { return false; };
  const auto only_unreachable = [&] {
    const auto list = faults.list();
    REQUIRE(list->faults.size() == 1);
    CHECK(list->faults[0].kind == FaultKind::unreachable);
    CHECK(list->faults[0].id == "unreachable");
    CHECK(list->faults[0].level == Level::bad);
    CHECK_FALSE(list->faults[0].advice.empty());
    return list->faults[0];
  };
  SECTION("the fault ends when the fabric answers") {
    faults.sweep(1000, none);
    CHECK(faults.list()->faults.empty());
    faults.sweep(2000, all);
    const FabricFault fault = only_unreachable();
    CHECK(fault.since_ms == 2000);
    CHECK(fault.findings[0].measured == "no answer from 4 switches and 8 other nodes");
    faults.sweep(3000, all);
    CHECK(only_unreachable().since_ms == 2000);
    faults.sweep(4000, none);
    CHECK(faults.list()->faults.empty());
  }
  SECTION("only the monitor's own node answers") {
    faults.sweep(1000, none);
    faults.sweep(2000, [&](const MapNode& node) { return !is_own(node); });
    only_unreachable();
  }
  SECTION("no switch answers") {
    faults.sweep(1000, none);
    faults.sweep(2000, is_switch);
    only_unreachable();
  }
  SECTION("the outage began during the previous sweep") {
    faults.sweep(1000, none);
    faults.sweep(2000, one);
    faults.list();
    faults.sweep(3000, all);
    only_unreachable();
  }
  SECTION("earlier faults remain as well") {
    faults.sweep(1000, one);
    const std::uint32_t port = faults.port_at(NodeKind::channel_adapter);
    faults.add(port, Level::bad, "symbol_errors", "31 in 1 h, limit 10: reseat the cable");
    const std::size_t before = faults.list()->faults.size();
    faults.sweep(2000, one);
    faults.list();
    faults.sweep(3000, all);
    CHECK(faults.list()->faults.size() == before + 1);
  }
}

TEST_CASE("a host that is gone is the same fault after a restart") {
  Faults faults;
  const std::uint32_t gone = faults.port_at(NodeKind::channel_adapter);
  const std::uint32_t end = faults.map.ports[gone].peer;
  const PortKey key{faults.map.node_of(faults.map.ports[gone]).guid, 1};
  FabricMap now = faults.without([&](std::uint32_t p) { return p == gone; });
  ++now.nodes[now.ports[gone].node].guid;  // a replacement node without any links
  Faults later(now);
  const PortKey switch_port{now.node_of(now.ports[end]).guid, now.ports[end].number};
  later.restore({{switch_port, {key, "n7"}}});
  later.add(end, Level::watch, std::string(link_state), "the link is down: check");
  const auto list = later.list();
  REQUIRE(list->faults.size() == 1);
  CHECK(list->faults[0].kind == FaultKind::node_down);
  CHECK(list->faults[0].id == fmt::format("{:016x}", key.node));
  CHECK(list->faults[0].end.name == "n7");
}

TEST_CASE("a fault names the jobs that send over its cable") {
  Faults faults;
  const FabricMap& map = faults.map;
  std::vector<std::uint32_t> adapters;
  for (std::uint32_t n = 0; n < map.nodes.size(); ++n) {
    if (map.nodes[n].kind == NodeKind::channel_adapter) adapters.push_back(n);
  }
  const auto leaf_of = [&](std::uint32_t node) {
    return map.ports[map.ports[map.nodes[node].first_port].peer].node;
  };
  std::ranges::stable_sort(adapters, {}, leaf_of);
  std::vector<std::uint32_t> all = adapters;
  std::ranges::sort(all);
  std::vector<std::uint32_t> local{adapters[0], adapters[1]};
  std::ranges::sort(local);
  faults.jobs = {{"all", all}, {"local", local}};
  SECTION("cable of a host: the jobs of the host") {
    faults.add(map.nodes[adapters[5]].first_port, Level::bad, "symbol_errors", "31: reseat");
    CHECK(faults.list()->faults[0].jobs == std::vector<std::string>{"all"});
  }
  SECTION("link that is down: the jobs that had routes over it") {
    const std::uint32_t host = map.nodes[adapters[0]].first_port;
    faults.list();
    faults.take(faults.without([&](std::uint32_t p) { return p == host; }));
    faults.add(map.ports[host].peer, Level::watch, std::string(link_state), "down: check");
    CHECK(faults.list()->faults[0].jobs == std::vector<std::string>{"all", "local"});
    // If the link comes back and goes down without jobs, the earlier ones do not count.
    faults.take(map);
    faults.jobs.clear();
    faults.list();
    faults.take(faults.without([&](std::uint32_t p) { return p == host; }));
    CHECK(faults.list()->faults[0].jobs.empty());
  }
  SECTION("two faults of one level: the one with more jobs comes first") {
    faults.add(map.nodes[adapters[5]].first_port, Level::bad, "symbol_errors", "31: reseat", 9000);
    faults.add(map.nodes[adapters[0]].first_port, Level::bad, "symbol_errors", "31: reseat", 1000);
    const auto list = faults.list();
    REQUIRE(list->faults.size() == 2);
    CHECK(list->faults[0].since_ms == 1000);
    CHECK(list->faults[0].jobs.size() == 2);
  }
  SECTION("cable between switches: the jobs with routes over it") {
    // Each leaf forwards to its own hosts directly, and everything else over its first uplink.
    faults.tables = std::make_shared<LiveTables>();
    faults.tables->by_node.resize(map.nodes.size());
    for (std::uint32_t s = 0; s < map.nodes.size(); ++s) {
      if (map.nodes[s].kind != NodeKind::switch_node) continue;
      auto& entries = faults.tables->by_node[s];
      entries.assign(64, no_port);
      for (const std::uint32_t host : adapters) {
        const MapPort& at = map.ports[map.nodes[host].first_port];
        for (std::uint32_t i = map.nodes[s].ports; i-- > 0;) {
          const std::uint32_t peer = map.ports[map.nodes[s].first_port + i].peer;
          if (peer == MapPort::no_peer) continue;
          const std::uint32_t next = map.ports[peer].node;
          const bool is_host = map.nodes[next].kind != NodeKind::switch_node;
          const bool is_uplink = leaf_of(host) != s && !is_host &&
                                 (leaf_of(adapters.front()) == s || leaf_of(adapters.back()) == s);
          if (next == host || next == leaf_of(host) || is_uplink) {
            entries[at.lid] = map.ports[map.nodes[s].first_port + i].number;
          }
        }
      }
    }
    const std::uint32_t leaf = leaf_of(adapters[0]);
    for (std::uint32_t i = 0; i < map.nodes[leaf].ports; ++i) {
      const std::uint32_t port = map.nodes[leaf].first_port + i;
      const std::uint32_t peer = map.ports[port].peer;
      if (peer == MapPort::no_peer || map.node_of(map.ports[peer]).kind != NodeKind::switch_node) {
        continue;
      }
      faults.add(port, Level::bad, "symbol_errors", "31: reseat");
    }
    const auto list = faults.list();
    REQUIRE(list->faults.size() == 2);
    // Only the first uplink carries traffic, and the job within the leaf does not use it.
    std::vector<std::string> found = list->faults[0].jobs;
    found.insert(found.end(), list->faults[1].jobs.begin(), list->faults[1].jobs.end());
    CHECK(found == std::vector<std::string>{"all"});
  }
}

TEST_CASE("all cables named by one cabling statement are one fault") {
  Faults faults;
  const std::uint32_t first = faults.port_at(NodeKind::channel_adapter);
  const std::uint32_t second = faults.port_at(NodeKind::switch_node);
  REQUIRE(faults.id_of(first) < faults.id_of(second));
  const std::string swapped = "swapped: A port 1 and A port 2: exchange the two cables there";
  for (const std::uint32_t port : {second, faults.map.ports[second].peer, first}) {
    faults.add(port, Level::watch, "cabling", swapped);
  }
  faults.add(second, Level::bad, "symbol_errors", "31 in 1 h, limit 10: reseat the cable", 2000);
  const auto list = faults.list();
  REQUIRE(list->faults.size() == 2);
  CHECK(list->faults[0].id == faults.id_of(second));
  CHECK(list->faults[0].kind == FaultKind::errors);
  CHECK(list->faults[1].id == faults.id_of(first));
  CHECK(list->faults[1].kind == FaultKind::cabling);
  CHECK(list->faults[1].findings.size() == 3);
}
