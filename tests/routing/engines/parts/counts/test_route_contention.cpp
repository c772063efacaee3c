#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/local_search/contention_search.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

struct Route {
  Lid lid;
  std::map<std::uint32_t, std::int64_t> before;  // channel -> previous channel, or -1 - source
};

/// All routes, each followed separately.
std::vector<Route> all_routes(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<Route> routes;
  for (const EndPortId source : fabric.endpoints()) {
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid)) continue;
      const auto path = test::walk(fabric, tables, fabric.end_port(source).attached, lid);
      if (!path) continue;
      Route route{lid, {}};
      std::int64_t before = -1 - std::int64_t{source.value()};
      for (const std::uint32_t c : *path) {
        route.before[c] = before;
        before = c;
      }
      routes.push_back(route);
    }
  }
  return routes;
}

/// Contending pairs by their definition: two routes to different LIDs share a channel that they
/// enter from different channels or from different end ports. If two routes share two consecutive
/// channels and the second has a higher cost, the difference counts there.
double contending_pairs_one_by_one(const Fabric& fabric, const ForwardingTables& tables) {
  const std::vector<Route> routes = all_routes(fabric, tables);
  const auto cost = fabric.channel_cost();
  double sum = 0;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (routes[i].lid == routes[k].lid) continue;
      for (const auto& [channel, before] : routes[i].before) {
        const auto same = routes[k].before.find(channel);
        if (same == routes[k].before.end()) continue;
        if (same->second != before) {
          sum += cost[channel];
        } else if (before >= 0) {
          sum += std::max(0.0, cost[channel] - cost[static_cast<std::size_t>(before)]);
        }
      }
    }
  }
  return sum;
}

/// Links with three data rates.
Fabric mixed_rates() {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (unsigned s = 0; s < 5; ++s) {
    switches.push_back(builder.add_switch(1 + s, 12, "s" + std::to_string(s), ""));
    for (unsigned h = 0; h < 2; ++h) {
      const NodeId host =
          builder.add_adapter(0x100 + 0x10 * s + 2 * h, 1, EndPortKind::channel_adapter, "", "");
      builder.connect(switches[s], static_cast<PortNumber>(1 + h), host, 1, {4, 10000});
    }
  }
  const std::uint32_t speeds[] = {5000, 10000, 20000};
  std::vector<PortNumber> next(5, 3);
  unsigned link = 0;
  for (unsigned a = 0; a < 5; ++a) {
    for (const unsigned b : {(a + 1) % 5, (a + 2) % 5}) {
      builder.connect(switches[a], next[a]++, switches[b], next[b]++, {4, speeds[link++ % 3]});
    }
  }
  builder.assign_lids();
  return std::move(builder).build();
}

std::vector<Fabric> small_fabrics() {
  std::vector<Fabric> fabrics;
  for (const char* spec : {"mesh 3x3 --hosts 2", "k-ary-n-tree 2 3", "torus 3x3 --parallel 2",
                           "torus 4x3 --lmc 1", "random-regular 10 --degree 3 --hosts 2",
                           "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands"}) {
    fabrics.push_back(make_fabric(spec));
  }
  fabrics.push_back(mixed_rates());
  return fabrics;
}

}  // namespace

TEST_CASE("contending_pairs() equals a count pair by pair", "[cassp]") {
  for (const Fabric& fabric : small_fabrics()) {
    for (const ForwardingTables& tables :
         {make_engine("pssp", {})->route(fabric).tables, test::random_tree_tables(fabric, 1),
          test::noise_tables(fabric, 2)}) {
      CHECK(contending_pairs(fabric, tables) ==
            Approx(contending_pairs_one_by_one(fabric, tables)).margin(1e-6));
    }
  }
}

TEST_CASE("reduce_contention stops where no change of a single entry reduces contention",
          "[cassp]") {
  for (const char* spec : {"mesh 3x3 --hosts 2", "k-ary-n-tree 2 3 --kill-links 3",
                           "random-regular 10 --degree 3 --hosts 2", "torus 3x3 --parallel 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    const double before = contending_pairs(fabric, tables);
    reduce_contention(fabric, tables, {.max_passes = 1000});
    const double after = contending_pairs(fabric, tables);
    CHECK(after <= before);
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid)) continue;
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        const auto path = test::walk(fabric, tables, SwitchId(s), lid);
        const PortNumber port = tables.at(SwitchId(s), lid);
        for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
          const auto rest = test::walk(fabric, tables, SwitchId(fabric.channel_head()[c]), lid);
          if (!path || !rest || rest->size() + 1 != path->size()) continue;
          tables.set(SwitchId(s), lid, fabric.channel_out_port()[c]);
          CHECK(contending_pairs(fabric, tables) >= after - 1e-6);
        }
        tables.set(SwitchId(s), lid, port);
      }
    }
  }
}

TEST_CASE("reduce_contention lowers contention whatever the initial tables are", "[cassp]") {
  for (const Fabric& fabric : small_fabrics()) {
    // Routes of random trees visit a switch at most once, so this bound is never exceeded.
    const auto any = static_cast<std::uint32_t>(fabric.switch_count());
    for (const std::uint64_t seed : {1, 2}) {
      ForwardingTables tables = test::random_tree_tables(fabric, seed);
      const double before = contending_pairs(fabric, tables);
      reduce_contention(fabric, tables, {.max_extra_hops = any, .max_passes = 3});
      CHECK(contending_pairs(fabric, tables) <= before);
      // Islands that are trees have only one path for each pair.
      if (fabric.channel_count() > 16) CHECK(contending_pairs(fabric, tables) < before);
      CHECK(verify(fabric, tables).usable());
    }
  }
}

TEST_CASE("reduce_contention respects the limit on probes", "[cassp]") {
  const Fabric fabric = make_fabric("chic --kill-links 20");
  const ForwardingTables start = make_engine("pssp", {})->route(fabric).tables;
  double last = contending_pairs(fabric, start);
  const std::uint64_t pass = probes_per_pass(fabric, 0);
  for (const std::uint64_t probes : {std::uint64_t{0}, pass / 10, pass}) {
    ForwardingTables tables = start;
    reduce_contention(fabric, tables, {.max_passes = 1000, .max_probes = probes});
    CHECK((tables == start) == (probes == 0));
    CHECK(contending_pairs(fabric, tables) <= last);
    CHECK(verify(fabric, tables).usable());
    last = contending_pairs(fabric, tables);
  }
}
