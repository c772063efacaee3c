#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "fabric/builder.h"
#include "fabric/paths/hop_distances.h"
#include "routing/engines/engine.h"
#include "routing/structured_suite/phase_bound.h"
#include "routing/structured_suite/servers.h"
#include "routing/structured_suite/structured_suite.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// A connected random graph of switches with parallel links, hosts and three link rates.
Fabric random_fabric(std::uint64_t seed) {
  RandomGenerator random(seed, 7);
  const std::vector<LinkRate> rates{*parse_link_rate("4xSDR"), *parse_link_rate("4xDDR"),
                                    *parse_link_rate("4xQDR")};
  const auto any_rate = [&] { return rates[random.below(3)]; };
  FabricBuilder builder;
  std::vector<NodeId> switches;
  std::vector<PortNumber> ports;
  const std::uint32_t count = 2 + random.below(6);
  for (std::uint32_t s = 0; s < count; ++s) {
    switches.push_back(builder.add_switch(0x100 + s, 60, "", ""));
    ports.push_back(0);
    if (s == 0) continue;
    const std::uint32_t other = random.below(s);
    builder.connect(switches[s], ++ports[s], switches[other], ++ports[other], any_rate());
  }
  for (std::uint32_t extra = random.below(8); extra > 0; --extra) {
    const std::uint32_t a = random.below(count);
    const std::uint32_t b = random.below(count);
    if (a == b) continue;
    builder.connect(switches[a], ++ports[a], switches[b], ++ports[b], any_rate());
  }
  const std::uint32_t hosts = 2 + random.below(18);
  for (std::uint32_t h = 0; h < hosts; ++h) {
    const std::uint32_t s = random.below(count);
    const NodeId host =
        builder.add_adapter(0x10000 + 16 * h, 1, EndPortKind::channel_adapter, "",
                            "n" + std::to_string(h / 2) + " a" + std::to_string(h % 2));
    builder.connect(host, 1, switches[s], ++ports[s], any_rate());
  }
  builder.assign_lids();
  return std::move(builder).build();
}

/// Minimal paths, with a random next hop at each switch.
ForwardingTables random_tables(const Fabric& fabric, std::uint64_t seed) {
  RandomGenerator random(seed, 8);
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  HopDistances distances(fabric);
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    if (!delivery.at.valid()) continue;
    distances.search(delivery.at);
    tables.set(delivery.at, lid, delivery.port);
    for (const std::uint32_t s : distances.order().subspan(1)) {
      std::vector<std::uint32_t> paths;
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        if (distances.is_next_hop(s, c)) paths.push_back(c);
      }
      const std::uint32_t path = paths[random.below(static_cast<std::uint32_t>(paths.size()))];
      tables.set(SwitchId(s), lid, fabric.channel_out_port()[path]);
    }
  }
  return tables;
}

/// Congestion of each flow that arrives, counted link by link in a map.
std::vector<double> count_congestion(const Fabric& fabric, const ForwardingTables& tables,
                                     const std::vector<std::pair<EndPortId, EndPortId>>& flows) {
  using Link = std::pair<char, std::uint32_t>;  // 'c': channel; 'i', 'o': link into, out of a host
  std::map<Link, double> load;
  std::vector<std::vector<Link>> paths;
  const auto cost = [&](Link link) {
    return link.first == 'c' ? fabric.channel_cost()[link.second]
                             : fabric.end_port_cost(EndPortId(link.second));
  };
  for (const auto& [from, to] : flows) {
    const auto path =
        test::walk(fabric, tables, fabric.end_port(from).attached, fabric.end_port(to).lid);
    if (!path) continue;
    std::vector<Link> links{{'o', from.value()}, {'i', to.value()}};
    for (const std::uint32_t c : *path) links.emplace_back('c', c);
    for (const Link& link : links) load[link] += cost(link);
    paths.push_back(links);
  }
  std::vector<double> congestion;
  for (const auto& links : paths) {
    double most = 0;
    for (const Link& link : links) most = std::max(most, load[link]);
    congestion.push_back(most);
  }
  return congestion;
}

StructuredSuite suite_of(const Fabric& fabric, HostOrderRule rule = HostOrderRule::name) {
  return {fabric, order_hosts(fabric, rule)};
}

ForwardingTables route(const Fabric& fabric, std::string_view engine) {
  return make_engine(engine, {})->route(fabric).tables;
}

}  // namespace

TEST_CASE("suite times equal a count flow by flow on random fabrics of unequal rates") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Fabric fabric = random_fabric(seed);
    ForwardingTables tables = random_tables(fabric, seed);
    if (seed % 4 == 0) {  // some routes do not arrive
      tables.set(SwitchId(0), fabric.lids()[fabric.lids().size() / 2], no_port);
    }
    const StructuredSuite structured_suite = suite_of(fabric);
    const auto& hosts = structured_suite.hosts().hosts;
    const auto patterns = make_patterns(fabric, hosts, false);
    const SuiteTimes times = structured_suite.measure(tables);
    REQUIRE(times.patterns.size() == patterns.size());
    double product = 1;
    std::size_t factors = 0;
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      INFO(seed << ' ' << patterns[p].name);
      double time = 0;
      double sum = 0;
      std::size_t routed = 0;
      std::size_t all = 0;
      patterns[p].visit([&](std::span<const HostFlow> flows) {
        std::vector<std::pair<EndPortId, EndPortId>> pairs;
        for (const HostFlow& flow : flows) pairs.emplace_back(hosts[flow.from], hosts[flow.to]);
        const std::vector<double> congestion = count_congestion(fabric, tables, pairs);
        double largest = 1;
        for (const double each : congestion) {
          largest = std::max(largest, each);
          sum += each;
        }
        time += largest;
        routed += congestion.size();
        all += flows.size();
      });
      CHECK(times.patterns[p].time == Approx(time / static_cast<double>(patterns[p].phases)));
      CHECK(times.patterns[p].unrouted == all - routed);
      if (routed != 0) {
        CHECK(times.patterns[p].mean_congestion == Approx(sum / static_cast<double>(routed)));
      }
      CHECK(times.patterns[p].slowdown == Approx(times.patterns[p].time / times.patterns[p].bound));
      if (!patterns[p].in_summary) continue;
      product *= times.patterns[p].slowdown;
      ++factors;
    }
    CHECK(times.structured_slowdown ==
          Approx(std::pow(product, 1.0 / static_cast<double>(factors))));
  }
}

TEST_CASE("no tables are faster than the bound of a phase") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Fabric fabric = random_fabric(seed);
    const OrderedHosts ordered = order_hosts(fabric, HostOrderRule::name);
    PhaseBound bound(fabric, ordered.hosts);
    for (const std::uint64_t choice : {1U, 2U}) {
      const ForwardingTables tables = random_tables(fabric, seed + 100 * choice);
      for (const TrafficPattern& pattern : make_patterns(fabric, ordered.hosts, false)) {
        bool holds = true;
        pattern.visit([&](std::span<const HostFlow> flows) {
          std::vector<std::pair<EndPortId, EndPortId>> pairs;
          for (const HostFlow& flow : flows) {
            pairs.emplace_back(ordered.hosts[flow.from], ordered.hosts[flow.to]);
          }
          double largest = 1;
          for (const double each : count_congestion(fabric, tables, pairs)) {
            largest = std::max(largest, each);
          }
          holds &= bound.of(flows) <= largest * (1 + 1e-12);
        });
        INFO(seed << ' ' << pattern.name);
        CHECK(holds);
      }
    }
  }
}

TEST_CASE("bounds of trees equal bounds computed by hand") {
  // Four leaves with four hosts and two uplinks each: three or four flows out of a leaf take twice
  // as long as one flow.
  const Fabric fabric = make_fabric("xgft 4,4 1,2");
  const OrderedHosts ordered = order_hosts(fabric, HostOrderRule::name);
  PhaseBound bound(fabric, ordered.hosts);
  const auto of = [&](const std::vector<HostFlow>& flows) { return bound.of(flows); };
  CHECK(of({}) == 1);
  CHECK(of({{0, 1}, {2, 3}}) == 1);
  CHECK(of({{0, 4}, {1, 8}}) == 1);
  CHECK(of({{0, 4}, {1, 8}, {2, 12}}) == 2);
  CHECK(of({{4, 0}, {8, 1}, {12, 2}, {13, 3}}) == 2);
  CHECK(of({{0, 4}, {1, 5}, {2, 6}, {3, 7}}) == 2);
  // A pod of four leaves with two hosts each has two uplinks: five flows out of a pod take three
  // times as long as one flow.
  const Fabric pods = make_fabric("xgft 2,4,4 1,2,1");
  PhaseBound of_pods(pods, order_hosts(pods, HostOrderRule::name).hosts);
  const std::vector<HostFlow> apart{{0, 8}, {2, 16}, {4, 24}, {6, 10}, {1, 12}};
  CHECK(of_pods.of(apart) == 3);
}

TEST_CASE("the links of servers bound the traffic from nodes to servers") {
  // Four leaves with three nodes, a server and two uplinks each. In the order of names, hosts 0 to
  // 3 are the servers; the nodes follow, leaf by leaf.
  const Fabric fabric = make_fabric("xgft 4,4 1,2 --servers 1");
  const OrderedHosts ordered = order_hosts(fabric, HostOrderRule::name);
  REQUIRE(fabric.end_port(ordered.hosts[3]).description.starts_with("io"));
  PhaseBound bound(fabric, ordered.hosts);
  const auto of = [&](const std::vector<HostFlow>& flows) { return bound.of(flows); };
  CHECK(of({{4, 0}, {5, 0}, {6, 0}}) == 3);
  CHECK(of({{4, 0}, {4, 1}, {4, 2}, {4, 3}}) == 4);
  CHECK(of({{4, 0}, {7, 1}}) == 1);  // the counts of the previous phase are reset

  const SuiteTimes times = suite_of(fabric).measure(route(fabric, "dmodk"));
  const PatternTime* const one = times.find("servers_one");
  REQUIRE(one != nullptr);
  CHECK(one->phases == 3);
  CHECK_FALSE(one->in_summary);
  CHECK(one->bound == 1);
  CHECK(one->time == 1);
  const PatternTime* const all = times.find("servers_all");
  REQUIRE(all != nullptr);
  CHECK(all->phases == 4);
  CHECK(all->bound == 3);  // twelve nodes send to four servers
  CHECK(all->time == 3);
  CHECK(all->mean_congestion == 3);
  CHECK(times.find("servers_job") == nullptr);
}

namespace {

/// Routes to all servers over the first uplink of each leaf.
void hot_spot_servers(const Fabric& fabric, ForwardingTables& tables) {
  const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
  for (const std::uint32_t position : find_servers(fabric, hosts).servers) {
    const EndPort& port = fabric.end_port(hosts[position]);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (fabric.endpoints_per_switch()[s] == 0 || SwitchId(s) == port.attached) continue;
      const std::uint32_t first = fabric.first_channel()[s];
      tables.set(SwitchId(s), port.lid, fabric.channel_out_port()[first]);
    }
  }
}

}  // namespace

TEST_CASE("servers_one slows down if servers share an uplink") {
  // Two leaves with eight nodes, two servers and four uplinks each. If all servers are behind the
  // first spine, a leaf sends two flows over it, although each could have its own path.
  const Fabric fabric = make_fabric("xgft 10,2 1,4 --servers 2");
  ForwardingTables tables = route(fabric, "dmodk");
  const auto slowdown = [&] {
    return suite_of(fabric).measure(tables).find("servers_one")->slowdown;
  };
  CHECK(slowdown() == 1);
  hot_spot_servers(fabric, tables);
  CHECK(slowdown() == 2);
}

TEST_CASE("traffic to servers counts once in addition to S if node types identify the servers") {
  // With 64 nodes or more, a job of 64 nodes also sends to all servers.
  const Fabric configured = make_fabric("xgft 18,4 1,4 --servers 2");
  const Fabric guessed = make_fabric("xgft 18,4 1,4");
  for (const auto extent : {StructuredSuite::Extent::all, StructuredSuite::Extent::quick}) {
    for (const Fabric* const fabric : {&configured, &guessed}) {
      const StructuredSuite structured_suite(*fabric, order_hosts(*fabric, HostOrderRule::name),
                                             false, extent);
      ForwardingTables tables = route(*fabric, "dmodk");
      hot_spot_servers(*fabric, tables);
      const SuiteTimes times = structured_suite.measure(tables);
      double of_servers = 1, patterns = 0;
      for (const PatternTime& each : times.patterns) {
        if (each.name == "servers_one" || each.name == "servers_job") of_servers *= each.slowdown;
        if (each.in_summary) ++patterns;
      }
      REQUIRE(patterns >= 5);
      CHECK((of_servers > 1.5) ==
            (fabric == &configured || extent == StructuredSuite::Extent::all));
      const double expected =
          fabric == &configured
              ? std::pow(std::pow(times.structured_slowdown, patterns) * std::sqrt(of_servers),
                         1 / (patterns + 1))
              : times.structured_slowdown;
      CHECK(times.with_servers == Approx(expected).epsilon(1e-12));
    }
  }
  // The extent that covers only S measures no other pattern.
  const StructuredSuite of_s(configured, order_hosts(configured, HostOrderRule::name), false,
                             StructuredSuite::Extent::summary);
  const SuiteTimes times = of_s.measure(route(configured, "dmodk"));
  CHECK(times.find("servers_one") == nullptr);
  CHECK(times.with_servers == times.structured_slowdown);
}

TEST_CASE("a bound over channels of unequal rates is not rounded up") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 10, "", "");
  const NodeId b = builder.add_switch(2, 10, "", "");
  for (unsigned h = 0; h < 6; ++h) {
    const NodeId host = builder.add_adapter(0x100 + 16 * h, 1, EndPortKind::channel_adapter,
                                            "h" + std::to_string(h), "");
    builder.connect(host, 1, h < 3 ? a : b, static_cast<PortNumber>(h % 3 + 1),
                    *parse_link_rate("4xSDR"));
  }
  builder.connect(a, 4, b, 4, *parse_link_rate("4xSDR"));
  SECTION("a link of twice the rate") {
    builder.connect(a, 5, b, 5, *parse_link_rate("4xDDR"));
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    PhaseBound bound(fabric, order_hosts(fabric, HostOrderRule::name).hosts);
    const std::vector<HostFlow> all{{0, 3}, {1, 4}, {2, 5}};
    CHECK(bound.of(all) == 1);
  }
  SECTION("two links of the same rate") {
    builder.connect(a, 5, b, 5, *parse_link_rate("4xSDR"));
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    PhaseBound bound(fabric, order_hosts(fabric, HostOrderRule::name).hosts);
    const std::vector<HostFlow> all{{0, 3}, {1, 4}, {2, 5}};
    CHECK(bound.of(all) == 2);
  }
}

TEST_CASE("shifts take the known times on known fabrics") {
  {
    const Fabric fabric = make_fabric("xgft 8,8,8 1,4,4");
    const SuiteTimes times = suite_of(fabric, HostOrderRule::guid).measure(route(fabric, "pssp"));
    CHECK(std::lround(times.find("shifts")->time * 511) == 1876);
    CHECK(times.find("shifts")->slowdown == Approx(1));
  }
  {
    const Fabric fabric = make_fabric("chic");
    const SuiteTimes times = suite_of(fabric).measure(route(fabric, "pssp"));
    CHECK(times.find("shifts")->time == Approx(1));
    CHECK(times.find("shifts")->bound == Approx(1));
  }
  {
    const Fabric fabric = make_fabric("mesh 5x5 --hosts 2");
    const SuiteTimes times = suite_of(fabric).measure(route(fabric, "meshdor"));
    CHECK(times.find("shifts")->time == Approx(3.43).margin(0.005));
  }
  {
    const Fabric fabric = make_fabric("k-ary-n-tree 4 3");
    CHECK(suite_of(fabric).measure(route(fabric, "pssp")).find("shifts")->time == Approx(1));
  }
}

TEST_CASE("hosts at one switch do not slow each other down") {
  for (const char* spec : {"director 24 --hosts 1", "director 24 --hosts 2",
                           "director 24 --hosts 3", "director 24 --hosts 12"}) {
    const Fabric fabric = make_fabric(spec);
    const SuiteTimes times = suite_of(fabric).measure(route(fabric, "pssp"));
    CHECK(times.structured_slowdown == 1);
    CHECK(times.unrouted == 0);
    for (const PatternTime& each : times.patterns) {
      CHECK(each.time == each.bound);
      // Nodes that send to the same server share the server's link.
      if (!each.name.starts_with("servers")) CHECK(each.time == 1);
    }
  }
}

TEST_CASE("tables without entries route no flow") {
  const Fabric fabric = make_fabric("k-ary-n-tree 2 2");
  const SuiteTimes times = suite_of(fabric).measure(ForwardingTables(4, 0));
  CHECK(times.find("shifts")->unrouted == 12);
  CHECK(times.find("shifts")->time == 1);
}

TEST_CASE("flows in a forwarding loop count as unrouted") {
  const Fabric fabric = make_fabric("torus 4 --hosts 1");
  ForwardingTables tables = route(fabric, "pssp");
  const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
  const EndPort& target = fabric.end_port(hosts[0]);
  for (std::uint32_t s = 0; s < 4; ++s) {
    if (SwitchId(s) == target.attached) continue;
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      if (fabric.channel_head()[c] == target.attached.value()) continue;
      tables.set(SwitchId(s), target.lid, fabric.channel_out_port()[c]);
    }
  }
  const SuiteTimes times = suite_of(fabric).measure(tables);
  CHECK(times.find("shifts")->unrouted == 3);
}

TEST_CASE("the summary alone gives the same structured slowdown") {
  const Fabric fabric = make_fabric("deimos");
  const ForwardingTables tables = route(fabric, "pssp");
  const OrderedHosts hosts = order_hosts(fabric, HostOrderRule::name);
  const SuiteTimes all = StructuredSuite(fabric, hosts).measure(tables);
  const SuiteTimes summary =
      StructuredSuite(fabric, hosts, false, StructuredSuite::Extent::summary).measure(tables);
  CHECK(all.structured_slowdown == summary.structured_slowdown);
  CHECK(summary.patterns.size() == 5);
  CHECK(all.patterns.size() == 13);
}

TEST_CASE("the score grows with bandwidth and falls with the slowdown") {
  CHECK(suite_score(.5, 1) == .5);
  CHECK(suite_score(.5, 16) == Approx(.25));
  CHECK(suite_score(.6, 2) > suite_score(.5, 2));
  CHECK(suite_score(.5, 2) > suite_score(.5, 3));
  CHECK(suite_score(.5, 9, 0) == .5);
}
