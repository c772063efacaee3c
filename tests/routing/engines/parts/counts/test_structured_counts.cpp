#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "fabric/paths/allowed_channels.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/counts/structured_counts.h"
#include "routing/engines/parts/local_search/contention_search.h"
#include "routing/engines/parts/local_search/structured_local_search.h"
#include "routing/engines/parts/trees/round_robin.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/route_walk.h"
#include "tests/routing/engines/unlike_links.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

double pairs_of(double n) { return n * (n - 1) / 2; }

double cube_of(double n) { return n * n * n; }

/// Counts route by route, without trees or arrays.
double pairs_one_by_one(const Fabric& fabric, const ForwardingTables& tables,
                        StructuredWeights weights) {
  const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
  const std::size_t n = hosts.size();
  std::map<std::pair<std::uint32_t, std::size_t>, int> in_shift;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, int> to_leaf;
  for (std::size_t to = 0; to < n; ++to) {
    const EndPort& destination = fabric.end_port(hosts[to]);
    for (std::size_t from = 0; from < n; ++from) {
      const SwitchId at = fabric.end_port(hosts[from]).attached;
      const auto path = test::walk(fabric, tables, at, destination.lid);
      for (const std::uint32_t c : *path) {
        ++in_shift[{c, (to + n - from) % n}];
        // Each host of the leaf counts each destination once.
        ++to_leaf[{c, at.value(), destination.attached.value()}];
      }
    }
  }
  double sum = 0;
  for (const auto& [where, routes] : in_shift) {
    const double cost = fabric.channel_cost()[where.first];
    sum +=
        weights.shifts * (weights.hot_spots ? cube_of(cost * routes) / 6 : cost * pairs_of(routes));
  }
  for (const auto& [where, routes] : to_leaf) {
    const double sources = fabric.endpoints_per_switch()[std::get<1>(where)];
    sum += weights.leaves * fabric.channel_cost()[std::get<0>(where)] * sources *
           pairs_of(routes / sources);
  }
  return sum * static_cast<double>(n);
}

double time_of_shifts(const Fabric& fabric, const ForwardingTables& tables) {
  const StructuredSuite structured_suite(fabric, order_hosts(fabric, HostOrderRule::name));
  return structured_suite.measure(tables).find("shifts")->time;
}

std::vector<Fabric> fabrics() {
  std::vector<Fabric> made;
  for (const char* spec : {"k-ary-n-tree 3 2 --kill-links 2", "xgft 4,4 1,2", "mesh 3x3 --hosts 2",
                           "k-ary-n-tree 2 3 --kill-links 3", "k-ary-n-tree 3 3 --kill-links 6"}) {
    made.push_back(make_fabric(spec));
  }
  made.push_back(test::two_unlike_links());
  return made;
}

}  // namespace

TEST_CASE("structured_pairs() equals a count route by route", "[cassp]") {
  for (const Fabric& fabric : fabrics()) {
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    for (const StructuredWeights weights :
         {StructuredWeights{1, 0}, StructuredWeights{0, 1}, StructuredWeights{0.3, 0.1},
          StructuredWeights{1, 0, true}, StructuredWeights{0.3, 0.1, true}}) {
      CHECK(structured_pairs(fabric, tables, weights) ==
            Approx(pairs_one_by_one(fabric, tables, weights)));
    }
  }
}

TEST_CASE("counts that are updated with each move equal a recount after all moves", "[cassp]") {
  int shaken_up = 0;
  int gains = 0;
  for (const Fabric& fabric : fabrics()) {
    for (const StructuredWeights weights :
         {StructuredWeights{0.5, 0}, StructuredWeights{0, 0.5}, StructuredWeights{0.3, 0.1},
          StructuredWeights{0.5, 0, true}, StructuredWeights{0.3, 0.1, true}}) {
      ForwardingTables tables = route_round_robin(fabric);
      const double before =
          contending_pairs(fabric, tables) + pairs_one_by_one(fabric, tables, weights);
      // Noisy passes move entries at random, before the contention falls.
      reduce_contention(fabric, tables, {.noisy_passes = 2, .structured = weights});
      const double shaken =
          contending_pairs(fabric, tables) + pairs_one_by_one(fabric, tables, weights);
      shaken_up += shaken != before ? 1 : 0;
      const double gain =
          reduce_contention(fabric, tables, {.max_passes = 5, .structured = weights});
      gains += gain > 0 ? 1 : 0;
      CHECK(contending_pairs(fabric, tables) + pairs_one_by_one(fabric, tables, weights) ==
            Approx(shaken - gain));
      CHECK(verify(fabric, tables).usable());
    }
  }
  // Some fabrics are so small that no entry can move.
  CHECK(shaken_up >= 3);
  CHECK(gains >= 3);
}

TEST_CASE("counts are also updated correctly if paths may be non-minimal", "[cassp]") {
  int gains = 0, taken = 0;
  for (const char* spec : {"mesh 3x3 --hosts 2", "torus 5x4 --hosts 2 --kill-links 2",
                           "random-regular 12 --degree 4 --hosts 2"}) {
    const Fabric fabric = make_fabric(spec);
    for (const std::uint32_t extra_hops : {1U, 2U}) {
      for (const StructuredWeights weights :
           {StructuredWeights{0.5, 0}, StructuredWeights{0, 0.5}, StructuredWeights{0.3, 0.1},
            StructuredWeights{0.3, 0.1, true}}) {
        INFO(spec << " " << extra_hops);
        ForwardingTables tables = route_round_robin(fabric);
        reduce_contention(fabric, tables,
                          {.max_extra_hops = extra_hops, .noisy_passes = 2, .structured = weights});
        const double shaken =
            contending_pairs(fabric, tables) + pairs_one_by_one(fabric, tables, weights);
        const double gain = reduce_contention(
            fabric, tables, {.max_extra_hops = extra_hops, .max_passes = 5, .structured = weights});
        gains += gain > 0 ? 1 : 0;
        CHECK(contending_pairs(fabric, tables) + pairs_one_by_one(fabric, tables, weights) ==
              Approx(shaken - gain));
        CHECK(verify(fabric, tables).usable());
        CHECK(longest_extra_hops(fabric, tables) <= extra_hops);
        taken += longest_extra_hops(fabric, tables) != 0 ? 1 : 0;
      }
    }
  }
  CHECK(gains >= 20);
  CHECK(taken >= 12);
}

TEST_CASE("local search keeps the regular pattern of a regular tree", "[cassp]") {
  const Fabric fabric = make_fabric("xgft 4,4,4 1,2,2");
  const ForwardingTables in_step = make_engine("pssp", {})->route(fabric).tables;
  ForwardingTables tables = in_step;
  reduce_structured_contention(fabric, tables, {.structured = {0.1, 0.1}});
  CHECK(tables == in_step);
}

TEST_CASE(
    "local search with the hot spot penalty lowers the time of shifts and still needs one lane",
    "[cassp]") {
  for (const char* spec : {"chic --kill-switches 4 --seed 2", "xgft 6,6,6 1,3,2 --kill-links 9"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const std::optional<UpDownOrder> order = tree_order(fabric);
    REQUIRE(order);
    ForwardingTables tables = route_round_robin(fabric, &*order);
    const StructuredSearch by_pairs{.structured = {0.1, 0.2}, .up_down = &*order};
    reduce_structured_contention(fabric, tables, by_pairs);
    const double before = time_of_shifts(fabric, tables);
    const StructuredSearch by_hot_spots{.structured = {0.25, 0.1, true}, .up_down = &*order};
    reduce_structured_contention(fabric, tables, by_hot_spots);
    CHECK(time_of_shifts(fabric, tables) < 0.95 * before);
    CHECK(AllowedChannels(fabric, *order).allow(fabric, tables));
    CHECK(verify_lanes(fabric, tables, level_zero(tables)).is_deadlock_free());
  }
}

TEST_CASE("local search leaves fixed entries unchanged", "[cassp]") {
  const char* spec =
      GENERATE("chic --kill-links 20", "xgft 6,6,6 1,3,2 --kill-links 9", "torus 4x4 --hosts 2");
  const Fabric fabric = make_fabric(spec);
  const ForwardingTables start = route_round_robin(fabric);
  // Entries of some switches and of some LIDs, and a random quarter of the others, are free.
  MersenneRandom random(7);
  ForwardingTables fixed = start;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (s % 5 == 0 || lid % 7 == 0 || random.below(4) == 0) fixed.set(SwitchId(s), lid, no_port);
    }
  }
  ForwardingTables tables = start;
  reduce_contention(fabric, tables,
                    {.max_passes = 3, .structured = {0.3, 0.1, true}, .fixed = &fixed});
  std::size_t moved = 0, moved_though_fixed = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (tables.at(SwitchId(s), lid) == start.at(SwitchId(s), lid)) continue;
      ++moved;
      moved_though_fixed += fixed.at(SwitchId(s), lid) != no_port ? 1 : 0;
    }
  }
  CHECK(moved > 0);
  CHECK(moved_though_fixed == 0);
  CHECK(verify(fabric, tables).usable());
  // If all entries are fixed, nothing moves.
  ForwardingTables still = start;
  reduce_contention(fabric, still, {.max_passes = 3, .fixed = &start});
  CHECK(still == start);
}

TEST_CASE("round-robin uses all next hops of a switch equally") {
  const Fabric fabric = make_fabric("xgft 6,4 1,3");
  const ForwardingTables tables = route_round_robin(fabric);
  CHECK(verify(fabric, tables).usable());
  // Each leaf reaches 18 destinations on other leaves over three uplinks.
  std::map<std::pair<std::uint32_t, PortNumber>, int> left_by;
  for (const EndPortId e : fabric.endpoints()) {
    for (const EndPortId from : fabric.endpoints()) {
      const SwitchId at = fabric.end_port(from).attached;
      if (at == fabric.end_port(e).attached || fabric.end_ports_of(at).front() != from) continue;
      ++left_by[{at.value(), tables.at(at, fabric.end_port(e).lid)}];
    }
  }
  for (const auto& [path, destinations] : left_by) CHECK(destinations == 6);
  CHECK(left_by.size() == 12);
}

TEST_CASE("round-robin tables are usable on all kinds of fabrics") {
  for (const char* spec :
       {"torus 3x3 --hosts 2 --lmc 1", "mesh 3x3 --kill-links 5 --allow-islands",
        "dragonfly --switches 3 --global-links 1 --hosts 1", "mesh 1 --hosts 3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(verify(fabric, route_round_robin(fabric)).usable());
  }
}
