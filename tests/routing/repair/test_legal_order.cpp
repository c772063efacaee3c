// Tests the up*/down* order that the tables of a tree follow. Tables repaired by this order need
// one virtual lane, even if hosts are attached to switches above the leaves.

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fabric/tables/service_levels.h"
#include "routing/repair/baseline.h"
#include "routing/repair/legal_order.h"
#include "routing/repair/repair_tables.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/routing/repair/repair_testing.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;
using pssp::test::route;

namespace {

/// One to four different channels between switches.
std::vector<ChannelId> some_links(const Fabric& fabric, std::mt19937_64& random) {
  std::set<ChannelId> links;
  for (std::uint64_t left = 1 + random() % 4; left > 0; --left) {
    links.insert(ChannelId(static_cast<std::uint32_t>(random() % fabric.channel_count())));
  }
  return {links.begin(), links.end()};
}

constexpr const char* trees_with_upper_hosts[] = {
    "k-ary-n-tree 4 2 --upper-hosts 2", "k-ary-n-tree 4 3 --upper-hosts 2",
    "xgft 6,5,4 1,3,2 --upper-hosts 3 --kill-links 2", "xgft 12,10 1,6 --upper-hosts 1"};

}  // namespace

TEST_CASE("tables of trees follow a legal order, and tables of a mesh do not", "[stable]") {
  const Fabric mesh = make_fabric("mesh 4x4 --hosts 2");
  CHECK(legal_preference(mesh, route(mesh, "pssp")).empty());
  for (const char* const engine : {"pssp", "p2ssp", "updown", "dmodk", "heal", "cassp", "best"}) {
    for (const char* const spec :
         {"k-ary-n-tree 4 2", "k-ary-n-tree 4 3", "xgft 6,5,4 1,3,2 --permute-ports", "chic"}) {
      INFO(engine << " on " << spec);
      const Fabric tree = make_fabric(spec);
      CHECK_FALSE(make_baseline(tree, route(tree, engine)).preference.empty());
    }
  }
}

TEST_CASE("tables of damaged trees and of trees with hosts above the leaves follow a legal order",
          "[stable]") {
  const auto check_has_order = [](const char* engine, const std::string& spec) {
    for (const char* const seed : {"1", "2"}) {
      INFO(engine << " on " << spec << ", seed " << seed);
      const Fabric fabric = make_fabric(spec + " --permute-ports --shuffle-guids --seed " + seed);
      CHECK_FALSE(make_baseline(fabric, route(fabric, engine)).preference.empty());
    }
  };
  for (const char* const engine : {"dmodk", "heal", "best"}) {
    for (const char* const spec : trees_with_upper_hosts) check_has_order(engine, spec);
    check_has_order(engine, "chic --kill-links 20");
    check_has_order(engine, "k-ary-n-tree 4 3 --kill-links 8");
    check_has_order(engine, "xgft 24,20 1,16 --upper-hosts 2");
  }
}

TEST_CASE("tables with a credit loop follow no legal order", "[stable]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 3 --upper-hosts 4 --shuffle-guids");
  const ForwardingTables tables = route(fabric, "pssp");
  REQUIRE_FALSE(verify_lanes(fabric, tables, level_zero(tables)).is_deadlock_free());
  CHECK(legal_preference(fabric, tables).empty());
}

// Checks all routes, including routes to and from management ports.
TEST_CASE("trees with hosts above the leaves are repaired on one virtual lane", "[stable]") {
  for (const std::string spec : trees_with_upper_hosts) {
    const Fabric whole = make_fabric(spec + " --permute-ports --shuffle-guids");
    const Baseline baseline = make_baseline(whole, route(whole, "dmodk"));
    std::mt19937_64 random(5);
    for (int i = 0; i < 25; ++i) {
      INFO(spec << ", damage " << i);
      const Fabric now = survivors(whole, {}, some_links(whole, random));
      const ForwardingTables tables = repaired(baseline, now, nullptr, {}, {}).tables;
      CHECK(verify(now, tables).usable());
      CHECK(verify_lanes(now, tables, level_zero(tables)).is_deadlock_free());
    }
    const StableRouting back = repaired(baseline, whole, nullptr, {}, {});
    CHECK(std::ranges::equal(back.tables.entries(), baseline.tables.entries()));
  }
}

// If only the tables of the baseline are known, and not its fabric, the order is derived from the
// damaged fabric.
TEST_CASE("legal_preference usually finds the order on a damaged fabric, too", "[stable]") {
  const Fabric whole = make_fabric("xgft 6,6,4 1,3,2 --upper-hosts 2 --permute-ports");
  const ForwardingTables baseline = route(whole, "dmodk");
  std::mt19937_64 random(7);
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    INFO("damage " << i);
    const Fabric now = survivors(whole, {}, some_links(whole, random));
    const ForwardingTables start = transfer_tables(whole, baseline, now);
    const std::vector<std::uint32_t> preference = legal_preference(now, start);
    found += preference.empty() ? 0 : 1;
    const ForwardingTables tables =
        repair(now, {.baseline = start, .preference = preference}).tables;
    CHECK(verify(now, tables).usable());
    if (!preference.empty())
      CHECK(verify_lanes(now, tables, level_zero(tables)).is_deadlock_free());
  }
  CHECK(found >= 18);
}

// One host has moved, as when a management node is plugged into another switch.
TEST_CASE("the grown baseline follows a legal order after a host has moved to a spine",
          "[stable]") {
  for (const std::string spec : {"k-ary-n-tree 4 3", "xgft 6,5,4 1,3,2", "xgft 12,10 1,6"}) {
    const Fabric before = make_fabric(spec);
    const Baseline baseline = make_baseline(before, route(before, "dmodk"));
    for (const char* const seed : {"1", "2", "3"}) {
      INFO(spec << ", seed " << seed);
      const Fabric whole = make_fabric(spec + " --upper-hosts 1 --seed " + seed);
      const std::optional<Baseline> larger = grown(baseline, whole, {}, {});
      REQUIRE(larger);
      CHECK_FALSE(larger->preference.empty());
      // Hosts that did not move are reached by the same routes as before.
      const ForwardingTables start = transfer_tables(before, baseline.tables, whole);
      const ForwardingTables now = repaired(*larger, whole, nullptr, {}, {}).tables;
      for (const EndPortId e : whole.endpoints()) {
        const EndPort& host = whole.end_port(e);
        const std::optional<EndPortId> known = before.find_end_port(host.port_guid);
        REQUIRE(known);
        if (before.end_port(*known).attached != host.attached) continue;
        for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
          CHECK(now.at(SwitchId(s), host.lid) == start.at(SwitchId(s), host.lid));
        }
      }
      std::mt19937_64 random(3);
      for (int i = 0; i < 8; ++i) {
        const Fabric left = survivors(whole, {}, some_links(whole, random));
        const ForwardingTables tables = repaired(*larger, left, nullptr, {}, {}).tables;
        CHECK(verify(left, tables).usable());
        CHECK(verify_lanes(left, tables, level_zero(tables)).is_deadlock_free());
      }
    }
  }
}
