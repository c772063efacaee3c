#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <numeric>
#include <set>

#include "evaluator/hosts/host_order.h"
#include "fabric/builder.h"
#include "tests/evaluator/sample_fabrics.h"

using namespace pssp;

namespace {

using Hosts = std::vector<std::uint32_t>;

/// Breadth-first search over hosts and switches in port order, as in ORCS. The search restarts at
/// the switch of the first host by GUID that is not yet found.
Hosts naive_breadth_first(const Fabric& fabric) {
  Hosts by_guid(fabric.endpoints().size());
  std::iota(by_guid.begin(), by_guid.end(), 0U);
  const auto guid = [&](std::uint32_t h) {
    return fabric.end_port(fabric.endpoints()[h]).port_guid;
  };
  std::ranges::sort(by_guid, {}, guid);
  Hosts found;
  std::set<std::uint32_t> seen;
  for (const std::uint32_t first : by_guid) {
    if (std::ranges::count(found, first) != 0) continue;
    std::deque<PortTarget> queue;
    const std::uint32_t start = fabric.end_port(fabric.endpoints()[first]).attached.value();
    seen.insert(start);
    const auto visit = [&](std::uint32_t s) {
      for (unsigned port = 1; port <= fabric.switches()[s].ports; ++port) {
        queue.push_back(fabric.behind(SwitchId(s), static_cast<PortNumber>(port)));
      }
    };
    for (visit(start); !queue.empty(); queue.pop_front()) {
      const PortTarget target = queue.front();
      if (target.kind == PortTarget::Kind::end_port) {
        const auto at = std::ranges::find(fabric.endpoints(), EndPortId(target.index));
        if (at == fabric.endpoints().end()) continue;
        found.push_back(static_cast<std::uint32_t>(at - fabric.endpoints().begin()));
      } else if (target.kind == PortTarget::Kind::channel) {
        const std::uint32_t head = fabric.channel_head()[target.index];
        if (seen.insert(head).second) visit(head);
      }
    }
  }
  return found;
}

/// Four hosts on two switches and a fifth on an island. Port GUIDs are not in the order of the
/// ports.
Fabric five_hosts() {
  FabricBuilder builder;
  const NodeId left = builder.add_switch(0x200001, 4, "left", "");
  const NodeId right = builder.add_switch(0x200002, 4, "right", "");
  const NodeId island = builder.add_switch(0x200000, 4, "island", "");
  builder.connect(left, 1, right, 4, {});
  const std::vector<std::pair<NodeId, unsigned>> positions = {
      {right, 3}, {right, 1}, {left, 3}, {left, 2}, {island, 1}};
  const std::vector<Guid> port_guids = {0x500, 0x300, 0x400, 0x900, 0x700};
  for (std::size_t h = 0; h < positions.size(); ++h) {
    const NodeId host = builder.add_adapter(0x100000 + h, 1, EndPortKind::channel_adapter, "", "");
    builder.set_port_guid(host, 1, port_guids[h]);
    builder.connect(host, 1, positions[h].first, static_cast<PortNumber>(positions[h].second), {});
  }
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("the host order by port GUID is ascending or descending") {
  const Fabric fabric = five_hosts();
  CHECK(host_order(fabric, HostSelection::guid_ascending) == Hosts{1, 2, 0, 4, 3});
  CHECK(host_order(fabric, HostSelection::guid_descending) == Hosts{3, 4, 0, 2, 1});
  CHECK(host_order(fabric, HostSelection::random) == Hosts{1, 2, 0, 4, 3});
}

TEST_CASE("the breadth-first host order starts at the lowest GUID and ends with islands") {
  // Host 1 has the lowest GUID and shares the right switch with host 0. The hosts of the left
  // switch follow in port order.
  CHECK(host_order(five_hosts(), HostSelection::linear_bfs) == Hosts{1, 0, 3, 2, 4});
}

TEST_CASE("the breadth-first host order matches a naive search on random fabrics") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Fabric fabric = test::random_fabric(seed, test::RandomTables::noise, true).fabric;
    CAPTURE(seed);
    const Hosts order = host_order(fabric, HostSelection::linear_bfs);
    CHECK(order == naive_breadth_first(fabric));
    CHECK(order.size() == fabric.endpoints().size());
  }
}

TEST_CASE("the first hosts of the breadth-first order use as few leaf switches as possible") {
  const Fabric fabric = test::cluster_2008_figure_1().fabric;
  const Hosts order = host_order(fabric, HostSelection::linear_bfs);
  REQUIRE(order.size() == 16);
  for (std::size_t first = 0; first < 16; first += 4) {
    std::set<std::uint32_t> switches;
    for (std::size_t i = first; i < first + 4; ++i) {
      switches.insert(fabric.end_port(fabric.endpoints()[order[i]]).attached.value());
    }
    CHECK(switches.size() == 1);
  }
}

TEST_CASE("the host order of a fabric without hosts is empty") {
  CHECK(host_order(test::single_switch(0).fabric, HostSelection::linear_bfs).empty());
}
