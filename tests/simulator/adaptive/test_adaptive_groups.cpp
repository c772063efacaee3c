// Compares adaptive groups with an independent breadth-first search over cables, and checks paths
// with random walks.

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "base/random.h"
#include "fabric/builder.h"
#include "fabric/paths/hop_distances.h"
#include "routing/engines/engine.h"
#include "routing/verify/channel_dependencies.h"
#include "simulator/adaptive/adaptive_groups.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

ForwardingTables routed(const Fabric& fabric, const char* engine) {
  return make_engine(engine, {})->route(fabric).tables;
}

/// The switch behind a port; none if no switch is there.
std::optional<SwitchId> neighbour(const Fabric& fabric, SwitchId s, unsigned port) {
  const PortTarget target = fabric.behind(s, static_cast<PortNumber>(port));
  if (target.kind != PortTarget::Kind::channel) return std::nullopt;
  return SwitchId(fabric.channel_head()[target.index]);
}

/// Hop counts from all switches to one switch, by breadth-first search.
std::vector<int> distances_to(const Fabric& fabric, SwitchId root) {
  std::vector<int> distance(fabric.switch_count(), -1);
  std::deque<SwitchId> todo{root};
  distance[root.value()] = 0;
  while (!todo.empty()) {
    const SwitchId at = todo.front();
    todo.pop_front();
    for (unsigned port = 1; port <= fabric.switch_at(at).ports; ++port) {
      const auto next = neighbour(fabric, at, port);
      if (!next || distance[next->value()] >= 0) continue;
      distance[next->value()] = distance[at.value()] + 1;
      todo.push_back(*next);
    }
  }
  return distance;
}

std::vector<unsigned> ports_of(const AdaptiveGroups& groups, SwitchId s, Lid lid) {
  std::vector<unsigned> ports;
  for (const std::uint32_t channel : groups.channels(s.value(), lid)) {
    CHECK(groups.fabric().channel_tail()[channel] == s.value());
    ports.push_back(groups.fabric().channel_out_port()[channel]);
  }
  return ports;
}

/// Channels that a packet may take: the group, otherwise the port of the tables; none at the last
/// switch.
std::vector<std::uint32_t> choices(const AdaptiveGroups& groups, std::uint32_t node, Lid lid) {
  const auto group = groups.channels(node, lid);
  if (!group.empty()) return {group.begin(), group.end()};
  const std::uint32_t channel = groups.channel_of_tables(node, lid);
  return channel == no_index ? std::vector<std::uint32_t>{} : std::vector{channel};
}

TEST_CASE("adaptive groups of minimal tables contain all ports one hop nearer to the destination") {
  for (const char* const text :
       {"k-ary-n-tree 4 2", "k-ary-n-tree 2 3 --permute-ports --shuffle-guids",
        "mesh 3x3 --hosts 2", "torus 4x3 --parallel 2 --kill-links 3",
        "hyperx 3x3 --shuffle-guids --lmc 1",
        "random-regular 12 --degree 4 --hosts 2 --kill-links 2", "xgft 4,4 1,2 --parallel 2",
        "k-ary-n-tree 3 2 --kill-links 2 --allow-islands", "director 24"}) {
    CAPTURE(text);
    const Fabric fabric = make_fabric(text);
    const ForwardingTables tables = routed(fabric, "pssp");
    const AdaptiveGroups groups = minimal_groups(fabric, tables);
    require_arrival(groups);
    std::size_t wide = 0;
    for (const EndPortId host : fabric.endpoints()) {
      const EndPort& port = fabric.end_port(host);
      const std::vector<int> distance = distances_to(fabric, port.attached);
      for (Lid lid = port.lid; lid < port.lid + (1U << port.lmc); ++lid) {
        for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
          std::vector<unsigned> nearer;
          for (unsigned p = 1; p <= fabric.switch_at(SwitchId(s)).ports; ++p) {
            const auto next = neighbour(fabric, SwitchId(s), p);
            if (next && distance[s] > 0 && distance[next->value()] == distance[s] - 1) {
              nearer.push_back(p);
            }
          }
          if (nearer.size() == 1) nearer.clear();
          REQUIRE(ports_of(groups, SwitchId(s), lid) == nearer);
          wide += nearer.empty() ? 0 : 1;
        }
      }
    }
    CHECK(wide > 0);
  }
}

TEST_CASE(
    "adaptive groups of non-minimal tables include the port of the tables and cause no loop") {
  const Fabric fabric = make_fabric("torus 5x5 --hosts 2 --kill-links 4");
  const ForwardingTables tables = routed(fabric, "updown");
  const AdaptiveGroups groups = minimal_groups(fabric, tables);
  require_arrival(groups);
  RandomGenerator random(1, 0);
  std::size_t extra_hops = 0;
  std::vector<std::uint32_t> hops;
  for (const EndPortId host : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(host);
    hops_of_routes(fabric, tables, port.lid, hops);
    const std::vector<int> distance = distances_to(fabric, port.attached);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const auto group = groups.channels(s, port.lid);
      if (!group.empty()) {
        const std::uint32_t entry = groups.channel_of_tables(s, port.lid);
        CHECK(std::ranges::count(group, entry) == 1);
      }
      extra_hops += hops[s] > static_cast<std::uint32_t>(distance[s]) ? 1 : 0;
      std::uint32_t at = s;
      for (std::uint32_t left = hops[s]; left != 0; --left) {
        const std::vector<std::uint32_t> paths = choices(groups, at, port.lid);
        REQUIRE(!paths.empty());
        at = fabric.channel_head()[paths[random.below(static_cast<std::uint32_t>(paths.size()))]];
      }
      CHECK(SwitchId(at) == port.attached);
    }
  }
  CHECK(extra_hops > 0);
}

TEST_CASE("hops_of_routes detects missing routes and loops in tables") {
  const Fabric fabric = make_fabric("mesh 4 --hosts 1");
  ForwardingTables tables = routed(fabric, "pssp");
  const EndPort& last = fabric.end_port(fabric.endpoints().back());
  std::vector<std::uint32_t> hops;
  hops_of_routes(fabric, tables, last.lid, hops);
  std::vector<std::uint32_t> expected;
  for (const int each : distances_to(fabric, last.attached)) {
    expected.push_back(static_cast<std::uint32_t>(each));
  }
  CHECK(hops == expected);
  // A neighbor of the last switch sends packets back, so only packets from the last switch itself
  // arrive.
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (expected[s] != 1) continue;
    for (unsigned port = 1; port <= fabric.switch_at(SwitchId(s)).ports; ++port) {
      const auto next = neighbour(fabric, SwitchId(s), port);
      if (next && expected[next->value()] == 2) {
        tables.set(SwitchId(s), last.lid, static_cast<PortNumber>(port));
      }
    }
  }
  hops_of_routes(fabric, tables, last.lid, hops);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    CHECK(hops[s] == (expected[s] == 0 ? 0 : unreachable_distance));
  }
  tables.set(last.attached, last.lid, no_port);
  hops_of_routes(fabric, tables, last.lid, hops);
  CHECK(std::ranges::count(hops, unreachable_distance) == 4);
}

TEST_CASE("minimal groups can have a credit loop that the tables do not have") {
  // Dimension-order routing has no credit loop on a mesh; all minimal ports together have one.
  const Fabric mesh = make_fabric("mesh 3x3 --hosts 1");
  const ForwardingTables by_dimension = routed(mesh, "meshdor");
  CHECK(credit_loop(AdaptiveGroups(mesh, by_dimension)).empty());
  const AdaptiveGroups groups = minimal_groups(mesh, by_dimension);
  const std::vector<ChannelId> loop = credit_loop(groups);
  REQUIRE(loop.size() >= 3);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const std::uint32_t here = loop[i].value();
    const std::uint32_t next = loop[(i + 1) % loop.size()].value();
    const std::uint32_t node = mesh.channel_head()[here];
    CHECK(node == mesh.channel_tail()[next]);
    CHECK(std::ranges::any_of(mesh.lids(), [&](Lid lid) {
      const auto before = choices(groups, mesh.channel_tail()[here], lid);
      const auto behind = choices(groups, node, lid);
      return std::ranges::count(before, here) == 1 && std::ranges::count(behind, next) == 1;
    }));
  }
  for (const char* const text : {"k-ary-n-tree 4 2", "xgft 4,4,4 1,2,2", "mesh 5 --hosts 2"}) {
    const Fabric tree = make_fabric(text);
    const ForwardingTables tables = routed(tree, "pssp");
    CHECK(credit_loop(minimal_groups(tree, tables)).empty());
  }
}

TEST_CASE("a credit loop of groups can use channels that follow each other in no table") {
  // A ring of four switches with two cables between neighbors and one host per switch. On paths of
  // two clockwise hops, the tables use the first cable and then the second cable, so no channels
  // wait in a cycle. If the second hop may use both cables, first cables wait for first cables.
  constexpr unsigned size = 4;
  constexpr PortNumber first_cable = 1, second_cable = 2, backwards = 3, to_host = 5;
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (unsigned s = 0; s < size; ++s) switches.push_back(builder.add_switch(0x100 + s, 5, "", ""));
  for (unsigned s = 0; s < size; ++s) {
    const NodeId next = switches[(s + 1) % size];
    builder.connect(switches[s], first_cable, next, backwards, {});
    builder.connect(switches[s], second_cable, next, backwards + 1, {});
    const NodeId host =
        builder.add_adapter(0x1000 + 0x10 * s, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(host, 1, switches[s], to_host, {});
  }
  builder.assign_lids();
  const Fabric ring = std::move(builder).build();

  ForwardingTables tables(ring.switch_count(), ring.max_lid());
  const auto lid_at = [&](unsigned s) {
    return ring.end_port(ring.end_ports_of(SwitchId(s))[0]).lid;
  };
  for (unsigned s = 0; s < size; ++s) {
    tables.set(SwitchId(s), lid_at(s), to_host);
    tables.set(SwitchId(s), lid_at((s + 1) % size), second_cable);
    tables.set(SwitchId(s), lid_at((s + 2) % size), first_cable);
    tables.set(SwitchId(s), lid_at((s + 3) % size), backwards);
  }
  CHECK_NOTHROW(require_arrival(AdaptiveGroups(ring, tables)));
  CHECK(credit_loop(AdaptiveGroups(ring, tables)).empty());

  AdaptiveGroups groups(ring, tables);
  for (unsigned s = 0; s < size; ++s) {
    AdaptiveGroups::Members both{};
    for (std::uint32_t channel = ring.first_channel()[s]; channel < ring.first_channel()[s + 1];
         ++channel) {
      if (ring.channel_out_port()[channel] <= second_cable)
        AdaptiveGroups::add(both, channel - ring.first_channel()[s]);
    }
    groups.set(s, lid_at((s + 1) % size), both);
  }
  const std::vector<ChannelId> loop = credit_loop(groups);
  CHECK(loop.size() == size);
  for (const ChannelId channel : loop)
    CHECK(ring.channel_out_port()[channel.value()] == first_cable);
}

/// Whether channels wait for each other in a cycle. Collects all pairs of channels that a packet
/// may take in sequence. Then removes pairs whose second channel waits for no other channel, until
/// nothing changes.
bool waits_in_cycle(const AdaptiveGroups& groups) {
  const Fabric& fabric = groups.fabric();
  std::set<std::pair<std::uint32_t, std::uint32_t>> waits;
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    // All switches of these fabrics have hosts.
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      for (const std::uint32_t first : choices(groups, s, lid)) {
        for (const std::uint32_t next : choices(groups, fabric.channel_head()[first], lid)) {
          waits.emplace(first, next);
        }
      }
    }
  }
  for (std::size_t before = 0; before != waits.size();) {
    before = waits.size();
    std::set<std::uint32_t> waiting;
    for (const auto& [first, next] : waits) waiting.insert(first);
    std::erase_if(waits, [&](const auto& wait) { return waiting.count(wait.second) == 0; });
  }
  return !waits.empty();
}

/// A random subset of the groups, each with probability `tenths` / 10.
AdaptiveGroups some_of(const AdaptiveGroups& all, std::uint32_t tenths, RandomGenerator& random) {
  const Fabric& fabric = all.fabric();
  AdaptiveGroups some(fabric, all.tables());
  for (const Lid lid : fabric.lids()) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const auto group = all.channels(s, lid);
      if (group.empty() || random.below(10) >= tenths) continue;
      AdaptiveGroups::Members members{};
      for (const std::uint32_t channel : group) {
        AdaptiveGroups::add(members, channel - fabric.first_channel()[s]);
      }
      some.set(s, lid, members);
    }
  }
  return some;
}

TEST_CASE("credit loops of random subsets of groups match a naive search for cycles") {
  std::size_t loops = 0, none = 0;
  for (const auto& [text, engine] :
       {std::pair{"mesh 3x3 --hosts 1", "meshdor"}, std::pair{"torus 4x4 --hosts 1", "updown"},
        std::pair{"hyperx 3x3 --hosts 1", "updown"},
        std::pair{"random-regular 14 --degree 4 --hosts 1", "updown"}}) {
    const Fabric fabric = make_fabric(text);
    const ForwardingTables tables = routed(fabric, engine);
    const AdaptiveGroups all = minimal_groups(fabric, tables);
    for (std::uint32_t draw = 0; draw < 100; ++draw) {
      CAPTURE(text, draw);
      RandomGenerator random(5, draw);
      const AdaptiveGroups some = some_of(all, 1 + draw % 4, random);
      const bool has_loop = waits_in_cycle(some);
      CHECK(credit_loop(some).empty() == !has_loop);
      ++(has_loop ? loops : none);
    }
  }
  CHECK(loops > 40);
  CHECK(none > 40);
}

TEST_CASE("minimal_groups refuses tables of another fabric") {
  const Fabric fabric = make_fabric("mesh 3x3");
  const Fabric other = make_fabric("mesh 2x2");
  const ForwardingTables tables = routed(other, "pssp");
  CHECK_THROWS_AS(minimal_groups(fabric, tables), Error);
}

}  // namespace
}  // namespace pssp
