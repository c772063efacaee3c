// Repairs the tables of trees that lack up to a tenth of their links, switches and hosts. The
// repaired tables connect every pair that has a path, on one virtual lane. Repairs of the intact
// fabric return the baseline.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "fabric/formats/topology_file.h"
#include "routing/repair/baseline.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/properties/random_plan.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "tests/routing/repair/repair_testing.h"
#include "tests/source_folder.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* trees[] = {"chic --permute-ports",
                                 "k-ary-n-tree 6 3 --shuffle-guids",
                                 "xgft 24,20 1,16 --permute-ports --shuffle-guids",
                                 "deimos",
                                 "xgft 6,5,4 1,3,2 --upper-hosts 3 --permute-ports",
                                 "joined-trees --leafs 16,6 --hosts 18 --spines 8 --cables 12"};

/// At most count / 10 (but at least one) different numbers below `count`; none with probability
/// 1/3.
std::vector<std::uint32_t> draw_missing(std::size_t count, std::mt19937_64& random) {
  if (random() % 3 == 0) return {};
  const std::size_t most = std::max<std::size_t>(1, count / 10);
  std::vector<std::uint32_t> missing;
  for (std::size_t left = 1 + random() % most; left > 0; --left) {
    missing.push_back(static_cast<std::uint32_t>(random() % count));
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

template <class Id>
std::vector<Id> ids(const std::vector<std::uint32_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

Fabric damage(const Fabric& whole, std::mt19937_64& random) {
  const auto links = ids<ChannelId>(draw_missing(whole.channel_count(), random));
  const auto switches = ids<SwitchId>(draw_missing(whole.switch_count(), random));
  const auto hosts = ids<EndPortId>(draw_missing(whole.end_port_count(), random));
  return survivors(whole, switches, links, hosts);
}

/// Searches for a cycle with the depth-first search of Boost.Graph over the routes of all pairs.
bool is_acyclic_by_search(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<test::Route> routes;
  test::for_each_route(fabric, tables, true,
                       [&](SwitchId, Lid, const test::Route& route) { routes.push_back(route); });
  return test::is_acyclic(fabric, routes);
}

void check_repairs(const Fabric& whole, const std::string& engine, const test::PlanSeeds& seeds) {
  const Baseline baseline = make_baseline(whole, test::route(whole, engine));
  REQUIRE_FALSE(baseline.preference.empty());
  const bool is_small = whole.switch_count() <= 100;
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const Fabric now = damage(whole, random);
    if (!now.has_lids()) continue;
    const ForwardingTables tables = repaired(baseline, now, nullptr, {}, {}).tables;
    CHECK(verify(now, tables).usable());
    CHECK(verify_lanes(now, tables, level_zero(tables)).is_deadlock_free());
    if (is_small) CHECK(is_acyclic_by_search(now, tables));
  }
  const ForwardingTables back = repaired(baseline, whole, nullptr, {}, {}).tables;
  CHECK(std::ranges::equal(back.entries(), baseline.tables.entries()));
}

}  // namespace

TEST_CASE("repaired tables of damaged trees need only one virtual lane") {
  for (const char* const spec : trees) {
    for (const char* const engine : {"dmodk", "best"}) {
      INFO(engine << " on " << spec);
      check_repairs(make_fabric(spec), engine, test::seeds_from_environment({.count = 12}));
    }
  }
}

TEST_CASE("repaired tables of damaged real fabrics need only one virtual lane") {
  for (const char* const file :
       {"ndr-40-switches.ibnetdiscover", "hdr-666-switches.ibnetdiscover"}) {
    const std::filesystem::path path = test::source_folder() / "../shared/fabrics" / file;
    if (!std::filesystem::exists(path)) {
      WARN("skipped: " << file << " is not part of the repository");
      continue;
    }
    INFO(file);
    const Fabric fabric = read_topology(path).builder.build();
    test::PlanSeeds seeds = test::seeds_from_environment({.count = 12});
    if (fabric.switch_count() > 100) seeds.count = 1 + seeds.count / 8;
    check_repairs(fabric, "dmodk", seeds);
  }
}
