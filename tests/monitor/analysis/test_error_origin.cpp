#include <catch2/catch.hpp>

#include "monitor/analysis/error_origin.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

/// A chain of three switches with one host each. Port 1 leads to the host, port 2 to the next
/// switch, port 3 to the previous one.
struct Chain {
  Chain() {
    for (std::uint32_t s = 0; s < 3; ++s) {
      map.nodes.push_back({10 + s, NodeKind::switch_node, 3, static_cast<Lid>(1 + s), 0, 0,
                           "switch " + std::to_string(s), 3 * s});
    }
    for (std::uint32_t h = 0; h < 3; ++h) {
      map.nodes.push_back(
          {20 + h, NodeKind::channel_adapter, 1, no_lid, 0, 0, "host " + std::to_string(h), 9 + h});
    }
    map.ports.resize(12);
    for (std::uint32_t n = 0; n < 6; ++n) {
      for (std::uint32_t i = 0; i < map.nodes[n].ports; ++i) {
        MapPort& port = map.ports[map.nodes[n].first_port + i];
        port.node = n;
        port.number = static_cast<PortNumber>(i + 1);
      }
    }
    for (std::uint32_t s = 0; s < 3; ++s) cable(at(s, 1), 9 + s);
    cable(at(0, 2), at(1, 3));
    cable(at(1, 2), at(2, 3));
    windows.resize(12);
    for (PortWindow& each : windows) each.known = all_counters;
    // Hosts have LIDs 11 to 13.
    tables.by_node.resize(6);
    for (std::uint32_t s = 0; s < 3; ++s) {
      tables.by_node[s].assign(64, PortNumber{255});
      for (std::uint32_t h = 0; h < 3; ++h) {
        tables.by_node[s][11 + h] = h == s ? PortNumber{1} : h > s ? PortNumber{2} : PortNumber{3};
      }
    }
  }
  static std::uint32_t at(std::uint32_t s, std::uint32_t number) { return 3 * s + number - 1; }
  void cable(std::uint32_t a, std::uint32_t b) {
    map.ports[a].peer = b;
    map.ports[b].peer = a;
  }
  void count(std::uint32_t port, std::uint64_t errors) {
    windows[port].counted[static_cast<std::size_t>(Counter::receive_errors)] = errors;
  }
  std::optional<ErrorOrigin> origin(std::uint32_t port, bool arrived, bool with_tables = true) {
    return origin_of_errors(
        map, port, arrived, [this](std::uint32_t p) { return windows[p]; },
        with_tables ? &tables : nullptr);
  }

  FabricMap map;
  LiveTables tables;
  std::vector<PortWindow> windows;
};

}  // namespace

TEST_CASE("packets that arrive marked as bad are traced to the cable that damaged them",
          "[monitor]") {
  Chain chain;
  const std::uint32_t host2 = 11;
  CHECK_FALSE(chain.origin(host2, true));
  chain.count(Chain::at(0, 1), 40);  // packets from host 0 are damaged on the host's own cable
  const auto found = chain.origin(host2, true);
  REQUIRE(found);
  CHECK(found->port == Chain::at(0, 1));
  CHECK(found->errors == 40);
  CHECK(found->hops == 2);
  SECTION("the port with most errors is the origin, and the nearest of equal ports") {
    chain.count(Chain::at(1, 1), 40);
    CHECK(chain.origin(host2, true)->port == Chain::at(1, 1));
    chain.count(Chain::at(0, 1), 41);
    CHECK(chain.origin(host2, true)->port == Chain::at(0, 1));
  }
  SECTION("a port without a route to the affected port is not an origin") {
    // Switch 0 no longer has a route to host 2, and its routes to host 1 do not reach this port.
    chain.tables.by_node[0][13] = 255;
    CHECK_FALSE(chain.origin(host2, true));
    CHECK(chain.origin(host2, true, false));
  }
  SECTION("discarded packets are traced from the port that they would have left by") {
    CHECK(chain.origin(Chain::at(2, 1), false)->port == Chain::at(0, 1));
    CHECK(chain.origin(Chain::at(1, 2), false)->hops == 1);
    // No route enters the first switch at port 2 and leaves it there again.
    chain.count(Chain::at(0, 1), 0);
    chain.count(Chain::at(0, 2), 5);
    CHECK_FALSE(chain.origin(Chain::at(0, 2), false));
  }
}

TEST_CASE("the reason of a verdict names the origin of the errors", "[monitor]") {
  Chain chain;
  chain.count(Chain::at(0, 1), 7);
  std::vector<Verdict> verdicts{
      {11, Level::watch, "receive_remote_physical_errors", "3 in 1 h", 3, 1},
      {11, Level::watch, "vl15_dropped", "3 in 1 h", 3, 1}};
  name_origins(
      chain.map, verdicts, [&](std::uint32_t p) { return chain.windows[p]; }, &chain.tables);
  CHECK(verdicts[0].reason ==
        "3 in 1 h; the most likely origin is switch 0 port 1, 2 hops upstream, which received 7 "
        "packets with errors");
  CHECK(verdicts[1].reason == "3 in 1 h");
}
