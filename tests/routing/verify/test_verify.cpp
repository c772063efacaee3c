#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/strong_components.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// The counts of verify(), made one pair and one entry at a time.
struct Counted {
  std::uint64_t unreachable_pairs = 0, separated_pairs = 0, unreachable_switch_pairs = 0,
                forwarding_loops = 0, dead_port_entries = 0, dependencies = 0;
  bool credit_loop = false;
};

std::vector<int> islands(const Fabric& fabric) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(fabric.switch_count());
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    boost::add_edge(fabric.channel_tail()[c], fabric.channel_head()[c], graph);
  }
  std::vector<int> island(fabric.switch_count());
  boost::connected_components(graph, island.data());
  return island;
}

/// Number of cycles in the functional graph of one LID.
std::size_t count_loops(const Fabric& fabric, const ForwardingTables& tables, Lid lid) {
  std::set<std::set<std::uint32_t>> cycles;
  for (std::uint32_t start = 0; start < fabric.switch_count(); ++start) {
    std::uint32_t s = start;
    std::vector<std::uint32_t> path;
    for (std::size_t step = 0; step <= 2 * fabric.switch_count(); ++step) {
      path.push_back(s);
      const PortTarget target = fabric.behind(SwitchId(s), tables.at(SwitchId(s), lid));
      if (target.kind != PortTarget::Kind::channel) break;
      s = fabric.channel_head()[target.index];
    }
    if (path.size() <= 2 * fabric.switch_count()) continue;
    const std::uint32_t last = path.back();
    std::set<std::uint32_t> cycle{last};
    for (auto it = path.rbegin() + 1; *it != last; ++it) cycle.insert(*it);
    cycles.insert(cycle);
  }
  return cycles.size();
}

Counted count(const Fabric& fabric, const ForwardingTables& tables) {
  Counted counted;
  const std::vector<int> island = islands(fabric);
  std::set<std::pair<std::uint32_t, std::uint32_t>> dependencies;
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    if (!delivery.at.valid()) continue;
    const LidOwner owner = fabric.owner(lid);
    counted.forwarding_loops += count_loops(fabric, tables, lid);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const PortNumber port = tables.at(SwitchId(s), lid);
      const PortTarget target = fabric.behind(SwitchId(s), port);
      const bool delivers = SwitchId(s) == delivery.at && port == delivery.port;
      if (port != no_port && target.kind != PortTarget::Kind::channel && !delivers)
        ++counted.dead_port_entries;
    }
    for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
      const EndPort& source = fabric.end_port(EndPortId(e));
      if (!source.attached.valid() || (owner.kind == LidOwner::Kind::end_port && owner.index == e))
        continue;
      const auto route = test::walk(fabric, tables, source.attached, lid);
      const bool separated = island[source.attached.value()] != island[delivery.at.value()];
      if (!route && owner.kind == LidOwner::Kind::end_port) {
        ++counted.unreachable_pairs;
        if (separated) ++counted.separated_pairs;
      }
      if (!route && owner.kind == LidOwner::Kind::switch_port0 && !separated)
        ++counted.unreachable_switch_pairs;
      if (!route || owner.kind != LidOwner::Kind::end_port) continue;
      for (std::size_t k = 1; k < route->size(); ++k)
        dependencies.insert({(*route)[k - 1], (*route)[k]});
    }
  }
  counted.dependencies = dependencies.size();
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(fabric.channel_count());
  for (const auto& [from, to] : dependencies) boost::add_edge(from, to, graph);
  std::vector<int> component(fabric.channel_count());
  if (!component.empty()) {
    counted.credit_loop = boost::strong_components(graph, component.data()) <
                          static_cast<int>(fabric.channel_count());
  }
  return counted;
}

void check_against_counting(const Fabric& fabric, const ForwardingTables& tables) {
  const VerifyReport report = verify(fabric, tables);
  const Counted counted = count(fabric, tables);
  CHECK(report.unreachable_pairs == counted.unreachable_pairs);
  CHECK(report.separated_pairs == counted.separated_pairs);
  CHECK(report.unreachable_switch_pairs == counted.unreachable_switch_pairs);
  CHECK(report.forwarding_loops == counted.forwarding_loops);
  CHECK(report.dead_port_entries == counted.dead_port_entries);
  CHECK(report.channel_dependencies == counted.dependencies);
  CHECK(report.has_credit_loop() == counted.credit_loop);
  for (std::size_t k = 0; k < report.credit_loop.size(); ++k) {
    const ChannelId next = report.credit_loop[(k + 1) % report.credit_loop.size()];
    CHECK(fabric.channel_head()[report.credit_loop[k].value()] ==
          fabric.channel_tail()[next.value()]);
  }
}

constexpr const char* specs[] = {"k-ary-n-tree 2 3",
                                 "mesh 3x3 --hosts 2",
                                 "torus 4x4 --lmc 1",
                                 "torus 5 --hosts 2",
                                 "random-regular 12 --degree 3 --hosts 2",
                                 "mesh 3x3 --hosts 2 --kill-links 4 --allow-islands",
                                 "mesh 2x3 --hosts 1 --kill-switches 2 --allow-islands",
                                 "full-mesh 4 --hosts 1"};

}  // namespace

TEST_CASE("verify agrees with a count pair by pair", "[verify]") {
  for (const char* spec : specs) {
    const Fabric fabric = make_fabric(spec);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      INFO(spec << ", seed " << seed);
      check_against_counting(fabric, test::random_tree_tables(fabric, seed));
      check_against_counting(fabric, test::noise_tables(fabric, seed));
    }
  }
}

TEST_CASE("tables of random trees are usable even if the fabric has islands", "[verify]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const VerifyReport report = verify(fabric, test::random_tree_tables(fabric, 3));
    CHECK(report.usable());
    CHECK(report.forwarding_loops == 0);
  }
}

TEST_CASE("empty tables reach no host, and the number of examples is limited", "[verify]") {
  const Fabric fabric = make_fabric("mesh 2x2 --hosts 1");
  const VerifyReport report =
      verify(fabric, ForwardingTables(4, fabric.max_lid()), {.max_examples = 2});
  CHECK_FALSE(report.usable());
  CHECK(report.unreachable_pairs == 12);
  CHECK(report.unreachable_switch_pairs == 16);
  CHECK(report.examples.size() == 2);
  CHECK(verify(fabric, ForwardingTables(4, 0)).unreachable_pairs == 12);
}

TEST_CASE("routes in one direction around a ring have a credit loop that names all switches",
          "[verify]") {
  const Fabric fabric = make_fabric("torus 4 --hosts 1");
  ForwardingTables tables(4, fabric.max_lid());
  // The channel to the next switch in one direction around the ring, found from the cabling.
  std::vector<std::uint32_t> onward(4, 0);
  std::uint32_t s = 0;
  std::uint32_t previous = fabric.channel_head()[fabric.first_channel()[0]];
  for (int step = 0; step < 4; ++step) {
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      if (fabric.channel_head()[c] != previous) onward[s] = c;
    }
    previous = s;
    s = fabric.channel_head()[onward[s]];
  }
  for (const Lid lid : fabric.lids()) {
    for (std::uint32_t at = 0; at < 4; ++at) {
      const Delivery delivery = fabric.delivery(lid);
      tables.set(SwitchId(at), lid,
                 delivery.at.value() == at ? delivery.port : fabric.channel_out_port()[onward[at]]);
    }
  }
  const VerifyReport report = verify(fabric, tables);
  CHECK(report.usable());
  REQUIRE(report.credit_loop.size() == 4);
  const std::string text = describe_credit_loop(fabric, report);
  for (std::uint32_t at = 0; at < 4; ++at)
    CHECK_THAT(text, Catch::Contains(fabric.switch_at(SwitchId(at)).name));
  CHECK_FALSE(verify(fabric, tables, {.credit_loops = false}).has_credit_loop());
}

TEST_CASE("verify rejects tables with another number of switches", "[verify]") {
  const Fabric fabric = make_fabric("mesh 2x2 --hosts 1");
  CHECK_THROWS_AS(verify(fabric, ForwardingTables(3, fabric.max_lid())), Error);
}
