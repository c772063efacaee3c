// Congestion with a known cause: hosts of one leaf send to another leaf over saturated links.

#include <catch2/catch.hpp>

#include "monitor/analysis/congestion_groups.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

constexpr double second_ns = 1e9;

/// Two leaves with four hosts each, and two spines. Ports are idle unless a test changes that.
class Leaves {
 public:
  Leaves() : map(synthetic_map("xgft 4,2 1,2")), differences(map.ports.size()) {
    for (std::uint32_t p = 0; p < map.ports.size(); ++p) send(p, 0);
    for (std::uint32_t n = 0; n < map.nodes.size(); ++n) {
      if (map.nodes[n].kind != NodeKind::switch_node) continue;
      (hosts_of(n).empty() ? spines : leaves).push_back(n);
    }
    REQUIRE(leaves.size() == 2);
    REQUIRE(spines.size() == 2);
  }

  void send(std::uint32_t port, double share) {
    PortDifference& at = differences[port];
    at.ns = static_cast<std::uint64_t>(second_ns);
    at.known = all_counters;
    const double bytes = share * map.ports[port].rate.capacity() * 1e6 / 8;
    at.delta[static_cast<std::size_t>(Counter::transmit_bytes)] = static_cast<std::uint64_t>(bytes);
  }
  void wait(std::uint32_t port, double share, std::int64_t since_ms = 5000) {
    standing.push_back(
        {{port, Level::watch, "transmit_wait", "waited in 1 h, limit 30 %: congestion", share, 0.3},
         since_ms});
  }
  std::vector<std::uint32_t> hosts_of(std::uint32_t leaf) const {
    std::vector<std::uint32_t> ports;
    for (std::uint32_t i = 0; i < map.nodes[leaf].ports; ++i) {
      const std::uint32_t peer = map.ports[map.nodes[leaf].first_port + i].peer;
      if (peer != MapPort::no_peer && map.node_of(map.ports[peer]).kind != NodeKind::switch_node) {
        ports.push_back(peer);
      }
    }
    return ports;
  }
  std::uint32_t port_between(std::uint32_t from, std::uint32_t to) const {
    for (std::uint32_t i = 0; i < map.nodes[from].ports; ++i) {
      const std::uint32_t port = map.nodes[from].first_port + i;
      if (map.ports[port].peer != MapPort::no_peer && map.ports[map.ports[port].peer].node == to) {
        return port;
      }
    }
    return MapPort::no_peer;
  }
  RunningJob job_of(std::string id, const std::vector<std::uint32_t>& hosts) const {
    RunningJob job{std::move(id), {}};
    for (const std::uint32_t host : hosts) job.nodes.push_back(map.ports[host].node);
    return job;
  }
  std::vector<CongestionGroup> groups(const std::vector<RunningJob>& jobs = {}) {
    return congestion_groups(map, differences, standing, jobs, memory_);
  }

  FabricMap map;
  std::vector<PortDifference> differences;
  std::vector<StandingVerdict> standing;
  std::vector<std::uint32_t> leaves, spines;

 private:
  CongestionMemory memory_;
};

}  // namespace

TEST_CASE("ports that wait for saturated links to one leaf form one group, which names the job") {
  Leaves fabric;
  for (const std::uint32_t spine : fabric.spines) {
    fabric.send(fabric.port_between(spine, fabric.leaves[1]), 0.95);
    fabric.wait(fabric.port_between(fabric.leaves[0], spine), 0.5, 4000);
  }
  for (const std::uint32_t host : fabric.hosts_of(fabric.leaves[0])) fabric.wait(host, 0.7);
  const std::vector<std::uint32_t> receivers = fabric.hosts_of(fabric.leaves[1]);
  fabric.send(fabric.map.ports[receivers[0]].peer, 0.2);
  fabric.send(fabric.map.ports[receivers[1]].peer, 0.7);
  const auto groups =
      fabric.groups({fabric.job_of("4711", {receivers[1]}), fabric.job_of("4712", {receivers[0]})});
  REQUIRE(groups.size() == 1);
  const CongestionGroup& group = groups[0];
  const Guid leaf = fabric.map.nodes[fabric.leaves[1]].guid;
  CHECK(group.target.key == PortKey{leaf, 0});
  CHECK(group.saturated.size() == 2);
  CHECK(group.waiting_hosts == 4);
  CHECK(group.waiting.size() == 6);
  CHECK(group.waiting[0].value == 0.7);
  CHECK(group.since_ms == 4000);
  CHECK(group.job == "4711");
  CHECK(group.job_share == Approx(7.0 / 9));
  CHECK(group.summary ==
        "job 4711 saturates 2 links to " + group.target.name + " (4 hosts waiting)");
}

TEST_CASE("a group names saturated host links, a slow host or an unknown cause") {
  Leaves fabric;
  const std::vector<std::uint32_t> receivers = fabric.hosts_of(fabric.leaves[1]);
  const std::uint32_t uplink = fabric.port_between(fabric.leaves[0], fabric.spines[0]);
  const std::uint32_t downlink = fabric.port_between(fabric.spines[0], fabric.leaves[1]);
  fabric.wait(uplink, 0.4);
  fabric.wait(downlink, 0.6);
  SECTION("saturated links to hosts") {
    fabric.send(fabric.map.ports[receivers[2]].peer, 0.99);
    const auto groups = fabric.groups();
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].target.key.node == fabric.map.nodes[fabric.leaves[1]].guid);
    CHECK(groups[0].summary ==
          "1 link to hosts of " + groups[0].target.name + " is saturated (2 ports waiting)");
  }
  SECTION("a host that accepts packets too slowly") {
    fabric.wait(fabric.map.ports[receivers[2]].peer, 0.9);
    const auto groups = fabric.groups();
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].target.key.node == fabric.map.node_of(fabric.map.ports[receivers[2]]).guid);
    CHECK(groups[0].summary ==
          "host " + groups[0].target.name + " accepts packets too slowly (3 ports waiting)");
    CHECK(groups[0].saturated.empty());
  }
  SECTION("all ports without a known cause are one group") {
    fabric.wait(fabric.hosts_of(fabric.leaves[0])[1], 0.5);
    const auto groups = fabric.groups();
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].id == "congestion-unknown");
    CHECK(groups[0].target.key.node == 0);
    CHECK(groups[0].job.empty());
    CHECK(groups[0].summary ==
          "no saturated link was found downstream of 3 ports that wait (1 host waiting)");
  }
}

TEST_CASE("congestion keeps its cause if its links become idle before the window ends") {
  Leaves fabric;
  const std::uint32_t link = fabric.port_between(fabric.leaves[0], fabric.spines[0]);
  fabric.send(link, 0.95);
  fabric.wait(fabric.hosts_of(fabric.leaves[0])[0], 0.5);
  const std::vector<RunningJob> jobs{fabric.job_of("7", {fabric.hosts_of(fabric.leaves[0])[0]})};
  const std::string id = fabric.groups(jobs).at(0).id;
  fabric.send(link, 0.1);
  const std::vector<CongestionGroup> later = fabric.groups(jobs);
  REQUIRE(later.size() == 1);
  CHECK(later[0].id == id);
  CHECK(later[0].saturated.size() == 1);
  CHECK_THAT(later[0].summary, Catch::Contains("1 link to") && Catch::Contains("was saturated (") &&
                                   Catch::Contains(" waited)"));

  fabric.standing.clear();
  CHECK(fabric.groups(jobs).empty());
  fabric.wait(fabric.hosts_of(fabric.leaves[0])[0], 0.5);
  CHECK(fabric.groups(jobs).at(0).id == "congestion-unknown");
}
