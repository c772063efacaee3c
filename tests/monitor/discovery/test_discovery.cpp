// Tests the fabric walk, the table reader and the manager watch with a small simulated subnet:
// intact, damaged, or partly silent.

#include <catch2/catch.hpp>

#include "monitor/discovery/fabric_walk.h"
#include "monitor/discovery/manager_watch.h"
#include "monitor/discovery/table_reader.h"
#include "tests/monitor/discovery/simulated_subnet.h"

using namespace pssp;
using namespace std::chrono_literals;

namespace {

ExchangeOptions two_tries() {
  ExchangeOptions options;
  options.retries = 1;
  return options;
}

/// A ring of three switches, of which the first two have a second cable between them. Each switch
/// has a host; a fourth host has two ports, at the second and the third switch. Switch ports: 1 to
/// the next switch, 2 to the previous one, 3 to the host, 4 for the second cable, 5 to the fourth
/// host.
struct Ring {
  Ring() : exchange(subnet, two_tries(), [this] { return subnet.now; }) {
    for (unsigned s = 0; s < 3; ++s) {
      test::SimulatedNode node;
      node.guid = 100 + s;
      node.is_switch = true;
      node.ports = 6;
      node.description = "switch " + std::to_string(s);
      node.lid = static_cast<Lid>(1 + s);
      node.table.assign(128, PortNumber{255});
      switches.push_back(subnet.add(node));
    }
    for (unsigned h = 0; h < 4; ++h) {
      test::SimulatedNode node;
      node.guid = 10 * (h + 1);
      node.ports = h == 3 ? 2 : 1;
      node.description = "host " + std::to_string(h);
      node.lid = static_cast<Lid>(10 + 2 * h);
      hosts.push_back(subnet.add(node));
    }
    for (unsigned s = 0; s < 3; ++s) {
      subnet.cable({switches[s], 1}, {switches[(s + 1) % 3], 2});
      subnet.cable({switches[s], 3}, {hosts[s], 1});
    }
    subnet.cable({switches[0], 4}, {switches[1], 4});
    subnet.cable({switches[1], 5}, {hosts[3], 1});
    subnet.cable({switches[2], 5}, {hosts[3], 2});
    subnet.own = {hosts[0], 1};
  }

  std::vector<FoundNode> walk(const WalkOptions& options = {}) {
    FabricWalk walking(exchange, options);
    walking.begin();
    while (walking.busy()) exchange.step(subnet.now + 1s);
    CHECK(walking.take_done());
    CHECK_FALSE(walking.take_done());
    return walking.take_nodes();
  }
  std::shared_ptr<const FabricMap> map() {
    DiscoveredFabric found = to_fabric_map(walk());
    routes = found.routes;
    return found.map;
  }
  std::size_t cable_ends(const std::vector<FoundNode>& nodes) {
    std::size_t ends = 0;
    for (const FoundNode& node : nodes) {
      for (const FoundPort& port : node.found_ports) ends += port.far_node != 0 ? 1U : 0U;
    }
    return ends;
  }
  unsigned asked(std::size_t node, SubnetAttribute attribute) {
    return subnet.asked[{node, static_cast<std::uint16_t>(attribute)}];
  }

  test::SimulatedSubnet subnet;
  Exchange exchange;
  std::vector<std::size_t> switches, hosts;
  std::vector<DirectedRoute> routes;
};

}  // namespace

TEST_CASE("a walk finds every node once, and both ends of every cable", "[monitor]") {
  Ring ring;
  const std::vector<FoundNode> nodes = ring.walk({.m_key = 0x1234});
  REQUIRE(nodes.size() == 7);
  CHECK(ring.cable_ends(nodes) == 2 * (3 + 3 + 1 + 2));
  CHECK(nodes[0].guid == 10);  // sorted by GUID
  CHECK(nodes[0].route.hops == 0);
  CHECK(nodes[0].description == "host 0");
  CHECK(nodes[4].guid == 100);
  CHECK(nodes[4].route.hops == 1);
  CHECK(nodes[4].lid == 1);
  CHECK(nodes[4].found_ports.size() == 6);
  // The second cable between the first two switches.
  CHECK(nodes[4].found_ports[3].far_node == 101);
  CHECK(nodes[4].found_ports[3].far_port == 4);
  // Each port of the host with two ports has its own GUID and LID.
  CHECK(nodes[3].found_ports.size() == 2);
  CHECK(nodes[3].found_ports[0].guid != nodes[3].found_ports[1].guid);
  // One request for the description, and one for the PortInfo of each port.
  for (const std::size_t each : ring.switches) {
    CHECK(ring.subnet.asked[{each, std::uint16_t{0x0010}}] == 1);
    CHECK(ring.asked(each, SubnetAttribute::port_info) == 7);
  }
  CHECK(ring.subnet.keys == std::set<std::uint64_t>{0x1234});
}

TEST_CASE("a walk omits links and nodes that do not answer, and respects its limits", "[monitor]") {
  Ring ring;
  SECTION("a link that is down is not followed") {
    ring.subnet.node(ring.switches[0]).down = {1};
    ring.subnet.node(ring.switches[1]).down = {2};
    const auto nodes = ring.walk();
    CHECK(nodes.size() == 7);
    CHECK(ring.cable_ends(nodes) == 2 * (2 + 3 + 1 + 2));
    CHECK(nodes[5].found_ports[1].far_node == 0);
  }
  SECTION("a silent switch is left out, and nodes behind it are found on other paths") {
    ring.subnet.silent = {ring.switches[1]};
    const auto nodes = ring.walk();
    // Only the host of the silent switch has no other path.
    CHECK(nodes.size() == 5);
    CHECK(ring.asked(ring.switches[1], SubnetAttribute::port_info) == 0);
  }
  SECTION("the number of ports is limited") {
    FabricWalk walking(ring.exchange, {.most_ports = 12});
    walking.begin();
    while (walking.busy()) ring.exchange.step(ring.subnet.now + 1s);
    CHECK(walking.was_cut_short());
    CHECK(walking.take_nodes().size() < 7);
    unsigned ports = 0;
    for (const auto& [what, times] : ring.subnet.asked) {
      ports += what.second == static_cast<std::uint16_t>(SubnetAttribute::port_info) ? times : 0;
    }
    // Requests for port 0 of the three switches are not included in the limit.
    CHECK(ports <= 12 + 3);
  }
  SECTION("the number of hops is limited") {
    CHECK(ring.walk({.max_hops = 1}).size() == 2);
    CHECK(ring.walk({.max_hops = 2}).size() == 4);
    CHECK(ring.walk({.max_hops = 3}).size() == 7);
  }
  SECTION("the monitor's own port does not answer") {
    ring.subnet.silent = {ring.hosts[0]};
    CHECK(ring.walk().empty());
  }
}

namespace {

LiveTablesPointer read_all(Ring& ring, TableReader& reader,
                           const std::shared_ptr<const FabricMap>& map) {
  reader.begin(map, ring.routes);
  while (reader.busy()) ring.exchange.step(ring.subnet.now + 1s);
  return reader.take();
}

}  // namespace

TEST_CASE("tables are read up to the top LID, along directed routes if requests by LID fail",
          "[monitor]") {
  Ring ring;
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t lid = 0; lid < 128; ++lid) {
      ring.subnet.node(ring.switches[s]).table[lid] = static_cast<PortNumber>((lid * 7 + s) % 6);
    }
  }
  ring.subnet.node(ring.switches[2]).table.resize(64);
  const auto map = ring.map();
  TableReader reader(ring.exchange, 0);
  const LiveTablesPointer first = read_all(ring, reader, map);
  REQUIRE(first);
  CHECK(first->switches == 3);
  CHECK(first->unread_switches == 0);
  CHECK(first->directed_reads == 0);
  CHECK(first->changed_blocks == 0);
  for (std::size_t s = 0; s < 3; ++s) {
    CHECK(first->by_node[*map->find_node(100 + s)] == ring.subnet.node(ring.switches[s]).table);
  }
  CHECK(reader.take() == nullptr);

  SECTION("changes are counted in blocks") {
    ring.subnet.node(ring.switches[0]).table[70] = 9;
    ring.subnet.node(ring.switches[2]).table.resize(128, PortNumber{3});
    const LiveTablesPointer next = read_all(ring, reader, map);
    CHECK(next->changed_switches == 2);
    CHECK(next->changed_blocks == 2);
    CHECK(next->hash != first->hash);
  }
  SECTION("requests by LID get no answer") {
    ring.subnet.lids_work = false;
    const LiveTablesPointer next = read_all(ring, reader, map);
    CHECK(next->unread_switches == 0);
    CHECK(next->directed_reads == 5);
    CHECK(next->hash == first->hash);
  }
  SECTION("a silent switch keeps its last table") {
    ring.subnet.silent = {ring.switches[1]};
    const LiveTablesPointer next = read_all(ring, reader, map);
    CHECK(next->unread_switches == 1);
    CHECK(next->changed_blocks == 0);
    CHECK(next->by_node[*map->find_node(101)] == first->by_node[*map->find_node(101)]);
  }
}

namespace {

struct WatchedManagers : Ring {
  WatchedManagers() : watch(exchange, 0) {
    set_manager(0, 14, ManagerInfo::State::master);
    set_manager(1, 3, ManagerInfo::State::standby);
    subnet.manager_lid = subnet.node(hosts[0]).lid;
    known = map();
  }
  void set_manager(std::size_t host, unsigned priority, ManagerInfo::State state) {
    subnet.node(hosts[host]).manager = ManagerInfo{subnet.node(hosts[host]).guid + 1, ++count,
                                                   static_cast<std::uint8_t>(priority), state};
  }
  /// Runs one round of requests and returns the kinds of its events.
  std::vector<EventKind> ask() {
    for (const std::size_t host : hosts) {
      auto& manager = subnet.node(host).manager;
      if (manager && works) ++manager->activity_count;
    }
    watch.begin(known);
    while (watch.busy()) exchange.step(subnet.now + 1s);
    CHECK(watch.take_done());
    std::vector<EventKind> kinds;
    for (const MonitorEvent& event : watch.take_events()) kinds.push_back(event.kind);
    return kinds;
  }

  std::shared_ptr<const FabricMap> known;
  ManagerWatch watch;
  std::uint32_t count = 0;
  bool works = true;
};

using Kinds = std::vector<EventKind>;

}  // namespace

TEST_CASE("the master is the manager whose LID the monitor's own port reports", "[monitor]") {
  WatchedManagers managed;
  CHECK(managed.ask() == Kinds{});
  const ManagerStatus& status = managed.watch.status();
  CHECK(status.master.lid == 10);
  CHECK(status.master.guid == 11);
  CHECK(status.master.node_guid == 10);
  CHECK(status.master.priority == 14);
  REQUIRE(status.others.size() == 1);
  CHECK(status.others[0].state == 2);
  CHECK(managed.ask() == Kinds{});
}

TEST_CASE("changes of subnet managers are reported once", "[monitor]") {
  WatchedManagers managed;
  managed.ask();
  SECTION("another manager takes over") {
    managed.subnet.manager_lid = managed.subnet.node(managed.hosts[1]).lid;
    managed.set_manager(1, 3, ManagerInfo::State::master);
    managed.set_manager(0, 14, ManagerInfo::State::standby);
    CHECK(managed.ask() == Kinds{EventKind::manager_changed});
    CHECK(managed.watch.status().master_changes == 1);
    CHECK(managed.ask() == Kinds{});
  }
  SECTION("the priority of the master changes") {
    managed.set_manager(0, 15, ManagerInfo::State::master);
    CHECK(managed.ask() == Kinds{EventKind::manager_priority});
  }
  SECTION("the master becomes silent and returns") {
    managed.subnet.node(managed.hosts[0]).manager.reset();
    CHECK(managed.ask() == Kinds{EventKind::manager_silent});
    CHECK(managed.ask() == Kinds{});
    managed.set_manager(0, 14, ManagerInfo::State::master);
    CHECK(managed.ask() == Kinds{});
    CHECK(managed.watch.status().master.answered);
  }
  SECTION("the master hangs") {
    managed.works = false;
    managed.ask();
    managed.ask();
    CHECK(managed.ask() == Kinds{EventKind::manager_stuck});
    CHECK(managed.ask() == Kinds{});
  }
  SECTION("a standby manager appears and disappears") {
    managed.set_manager(2, 1, ManagerInfo::State::standby);
    managed.known = managed.map();
    CHECK(managed.ask() == Kinds{EventKind::standby_new});
    managed.subnet.node(managed.hosts[2]).manager.reset();
    CHECK(managed.ask() == Kinds{EventKind::standby_lost});
  }
  SECTION("the master sent enough requests for a heavy sweep, so the fabric may have changed") {
    const auto nodes = static_cast<std::uint32_t>(managed.known->nodes.size());
    const auto work = [&](std::uint32_t requests) {
      managed.subnet.node(managed.hosts[0]).manager->activity_count += requests;
      managed.ask();
      return managed.watch.take_wish_for_discovery();
    };
    CHECK_FALSE(work(2 * nodes - 1));
    CHECK(work(2 * nodes));
    CHECK_FALSE(managed.watch.take_wish_for_discovery());
    managed.subnet.node(managed.hosts[0]).manager->activity_count = 5;
    CHECK_FALSE(work(0));
  }
  SECTION("the monitor's own port does not answer") {
    managed.subnet.silent = {managed.hosts[0]};
    managed.ask();
    CHECK(managed.watch.status().master.lid == no_lid);
  }
}
