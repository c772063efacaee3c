#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/repair/table_transfer.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/fabric/tables/route_walk.h"
#include "tests/routing/repair/repair_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr StableOptions no_balance{.least_gain = 100};

constexpr const char* repaired_specs[] = {"k-ary-n-tree 4 2",
                                          "xgft 4,4,4 1,2,2",
                                          "director 48",
                                          "mesh 4x4 --hosts 2",
                                          "torus 3x4x3",
                                          "torus 4x4 --hosts 2 --lmc 2",
                                          "torus 3x3 --parallel 2 --hosts 2 --lids=hosts-first",
                                          "hypercube 4 --hosts 2 --shuffle-guids",
                                          "random-regular 16 --degree 4 --hosts 3",
                                          "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
                                          "dragonfly --switches 3 --global-links 1 --hosts 1"};

ForwardingTables routed_by(const Fabric& fabric, const char* engine) {
  return make_engine(engine, {})->route(fabric).tables;
}

/// Checks that the tables are complete, without loops, and use minimal paths everywhere.
void check_shortest(const Fabric& fabric, const ForwardingTables& tables) {
  CHECK(verify(fabric, tables).usable());
  const EntryChanges good = test::least_changes(fabric, tables);
  CHECK(good.added == 0);
  CHECK(good.removed == 0);
  CHECK(good.replaced == 0);
}

/// Checks all properties of a repair by minimal paths.
void check_repair(const Fabric& fabric, const ForwardingTables& previous) {
  const EntryChanges least = test::least_changes(fabric, previous);
  const StableRouting plain = reroute_stably(fabric, previous, no_balance);
  check_shortest(fabric, plain.tables);
  CHECK(plain.changes == least);
  const auto distance = test::all_distances(fabric);
  std::uint64_t disturbed = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (std::size_t lid = 0; lid < previous.width(); ++lid) {
      const PortNumber port = test::entry(previous, s, lid);
      if (!test::is_on_minimal_path(fabric, distance, s, lid, port)) continue;
      if (test::entry(plain.tables, s, lid) != port) ++disturbed;
    }
  }
  CHECK(disturbed == 0);

  const StableRouting balanced = reroute_stably(fabric, previous);
  check_shortest(fabric, balanced.tables);
  CHECK(balanced.changes.replaced == least.replaced);
  CHECK(balanced.changes.added == least.added);
  CHECK(balanced.changes.removed == least.removed);
  CHECK(balanced.changes.kept + balanced.changes.moved == least.kept);
  CHECK(reroute_stably(fabric, previous).tables == balanced.tables);
}

}  // namespace

TEST_CASE("a repair changes only the entries that must change", "[stable]") {
  for (const char* spec : repaired_specs) {
    const Fabric before = make_fabric(spec);
    const ForwardingTables tables = routed_by(before, "pssp");
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      INFO(spec << ", seed " << seed);
      const Fabric now = test::damaged(before, seed % 3, seed, seed);
      check_repair(now, transfer_tables(before, tables, now));
    }
  }
}

TEST_CASE("links and switches that return are used again", "[stable]") {
  for (const char* spec : repaired_specs) {
    const Fabric now = make_fabric(spec);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      INFO(spec << ", seed " << seed);
      const Fabric before = test::damaged(now, seed % 3, seed, seed);
      if (before.switch_count() == 0 || before.endpoints().empty()) continue;
      check_repair(now, transfer_tables(before, routed_by(before, "pssp"), now));
    }
  }
}

TEST_CASE("any previous tables can be repaired", "[stable]") {
  for (const char* spec : repaired_specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    check_repair(fabric, test::noise_tables(fabric, 1));
    check_repair(fabric, test::random_tree_tables(fabric, 2));
    check_repair(fabric, ForwardingTables(fabric.switch_count(), fabric.max_lid()));
    check_repair(fabric, ForwardingTables(fabric.switch_count(), 1));
    ForwardingTables wide(fabric.switch_count(), last_unicast_lid);
    std::fill(wide.entries().begin(), wide.entries().end(), PortNumber{1});
    check_repair(fabric, wide);
  }
}

TEST_CASE("tables of an unchanged fabric stay as they are", "[stable]") {
  for (const char* engine : {"pssp", "p2ssp", "cassp", "updown"}) {
    for (const char* spec : {"k-ary-n-tree 4 2", "chic", "torus 4x4 --hosts 2 --lmc 1",
                             "random-regular 16 --degree 4 --hosts 3"}) {
      INFO(engine << " " << spec);
      const Fabric fabric = make_fabric(spec);
      const ForwardingTables tables = routed_by(fabric, engine);
      const bool has_long_paths = std::string(engine) == "updown";
      const StableRouting again =
          reroute_stably(fabric, tables,
                         {.max_extra_hops = has_long_paths ? max_stable_extra_hops : 0,
                          .keep_long_management_paths = true,
                          .least_gain = has_long_paths ? 100U : 25U});
      CHECK(again.tables == tables);
      CHECK(again.changes.moved == 0);
    }
  }
}

TEST_CASE("management paths that arrive stay if the option is set", "[stable]") {
  for (const char* spec : repaired_specs) {
    INFO(spec);
    const Fabric before = make_fabric(spec);
    const Fabric now = test::damaged(before, 0, 2, 1);
    const ForwardingTables previous =
        transfer_tables(before, test::random_tree_tables(before, 7), now);
    const StableRouting made =
        reroute_stably(now, previous, {.keep_long_management_paths = true, .least_gain = 100});
    CHECK(verify(now, made.tables).usable());
    std::uint64_t disturbed = 0;
    for (const Lid lid : now.lids()) {
      if (now.is_endpoint_lid(lid) || !now.delivery(lid).at.valid()) continue;
      for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
        if (!test::walk(now, previous, SwitchId(s), lid)) continue;
        disturbed += made.tables.at(SwitchId(s), lid) != previous.at(SwitchId(s), lid);
      }
    }
    CHECK(disturbed == 0);
  }
}

TEST_CASE("routes with extra hops stay if they arrive within the limit", "[stable]") {
  for (const char* spec : repaired_specs) {
    const Fabric before = make_fabric(spec);
    for (const std::uint32_t max_extra_hops : {1U, 3U, 15U}) {
      INFO(spec << ", max_extra_hops " << max_extra_hops);
      const Fabric now = test::damaged(before, 0, 2, max_extra_hops);
      const ForwardingTables previous =
          transfer_tables(before, test::random_tree_tables(before, max_extra_hops), now);
      const auto distance = test::all_distances(now);
      for (const std::uint32_t least_gain : {25U, 100U}) {
        const StableRouting made = reroute_stably(
            now, previous, {.max_extra_hops = max_extra_hops, .least_gain = least_gain});
        CHECK(verify(now, made.tables).usable());
        std::uint64_t too_long = 0, disturbed = 0;
        for (const Lid lid : now.lids()) {
          const Delivery delivery = now.delivery(lid);
          if (!delivery.at.valid()) continue;
          for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
            const int shortest = distance[delivery.at.value()][s];
            if (shortest < 0) continue;
            const std::size_t most = static_cast<std::size_t>(shortest) + max_extra_hops;
            const auto path = test::walk(now, made.tables, SwitchId(s), lid);
            if (!path || path->size() > most) ++too_long;
            const auto old_path = test::walk(now, previous, SwitchId(s), lid);
            if (old_path && old_path->size() <= most && least_gain == 100 &&
                made.tables.at(SwitchId(s), lid) != previous.at(SwitchId(s), lid)) {
              ++disturbed;
            }
          }
        }
        CHECK(too_long == 0);
        CHECK(disturbed == 0);
      }
    }
  }
}

TEST_CASE("a link that returns carries more than half of its former load", "[stable]") {
  const Fabric whole = make_fabric("chic");
  const ForwardingTables tables = routed_by(whole, "pssp");
  const auto loads_before = channel_loads(whole, tables);
  // All traffic of a leaf uses its uplinks.
  std::uint32_t leaf = 0;
  while (whole.endpoints_per_switch()[leaf] == 0) ++leaf;
  const ChannelId uplink(whole.first_channel()[leaf]);
  const Fabric cut = survivors(whole, {}, {&uplink, 1});
  const auto without = reroute_stably(cut, transfer_tables(whole, tables, cut)).tables;
  const ForwardingTables previous = transfer_tables(cut, without, whole);

  const auto unmended = channel_loads(whole, reroute_stably(whole, previous, no_balance).tables);
  const auto repaired = channel_loads(whole, reroute_stably(whole, previous).tables);
  const std::uint32_t back = whole.channel_reverse()[uplink.value()];
  CHECK(unmended[uplink.value()] < loads_before[uplink.value()] / 10);
  CHECK(repaired[uplink.value()] > loads_before[uplink.value()] / 2);
  CHECK(repaired[back] > loads_before[back] / 2);
}

TEST_CASE("tables stay good through a long series of changes", "[stable]") {
  for (const char* spec :
       {"torus 4x4 --hosts 2", "chic", "random-regular 16 --degree 4 --hosts 3"}) {
    INFO(spec);
    const Fabric whole = make_fabric(spec);
    const auto fresh = edge_forwarding_index(whole, channel_loads(whole, routed_by(whole, "pssp")));
    ForwardingTables tables = routed_by(whole, "pssp");
    std::vector<ChannelId> dead;
    std::mt19937_64 random(1);
    for (unsigned event = 0; event < 40; ++event) {
      const bool repair = event >= 30 || (!dead.empty() && random() % 3 == 0);
      if (repair && !dead.empty()) {
        dead.erase(dead.begin() + static_cast<std::ptrdiff_t>(random() % dead.size()));
      } else if (!repair) {
        dead.emplace_back(static_cast<std::uint32_t>(random() % whole.channel_count()));
      }
      if (event == 39) dead.clear();
      // All fabrics have the same switches in the same order.
      const Fabric now = survivors(whole, {}, dead);
      const EntryChanges least = test::least_changes(now, tables);
      StableRouting made = reroute_stably(now, tables);
      check_shortest(now, made.tables);
      CHECK(made.changes.replaced == least.replaced);
      CHECK(made.changes.added == least.added);
      tables = std::move(made.tables);
    }
    const auto index = edge_forwarding_index(whole, channel_loads(whole, tables));
    CHECK(index <= 1.6 * fresh);
  }
}

TEST_CASE("entries that carried little traffic do not decide where much traffic goes", "[stable]") {
  // Traffic from the rest of the fabric to some leaves used the line module that fails. The entries
  // of the other director for these leaves served only neighbors, and would send all this traffic
  // over one cable.
  const Fabric whole = make_fabric("chic");
  const ForwardingTables tables = routed_by(whole, "pssp");
  const auto is_dead = [](const Switch& s) { return s.description == "director 1 line 15"; };
  const auto found = std::find_if(whole.switches().begin(), whole.switches().end(), is_dead);
  REQUIRE(found != whole.switches().end());
  const SwitchId dead(static_cast<std::uint32_t>(found - whole.switches().begin()));
  const Fabric now = survivors(whole, {&dead, 1}, {});
  const ForwardingTables previous = transfer_tables(whole, tables, now);
  const auto index = [&now](const ForwardingTables& made) {
    return edge_forwarding_index(now, channel_loads(now, made));
  };
  const double plain = index(reroute_stably(now, previous, no_balance).tables);
  const double balanced = index(reroute_stably(now, previous).tables);
  CHECK(balanced <= plain / 2);
  CHECK(balanced <= 1.05 * index(routed_by(now, "pssp")));
}

namespace {

/// Two leaves and a spine with a host at each leaf: LID 4 at the left leaf and LID 5 at the right
/// leaf, or swapped.
Fabric two_leaves(bool swapped) {
  FabricBuilder builder;
  const NodeId spine = builder.add_switch(1, 4, "", "");
  const NodeId left = builder.add_switch(2, 4, "", "");
  const NodeId right = builder.add_switch(3, 4, "", "");
  const NodeId a = builder.add_adapter(10, 1, EndPortKind::channel_adapter, "", "");
  const NodeId b = builder.add_adapter(20, 1, EndPortKind::channel_adapter, "", "");
  builder.connect(spine, 1, left, 4, {});
  builder.connect(spine, 2, right, 4, {});
  builder.connect(swapped ? right : left, 1, a, 1, {});
  builder.connect(swapped ? left : right, 1, b, 1, {});
  builder.set_lid(spine, management_port, 1, 0);
  builder.set_lid(left, management_port, 2, 0);
  builder.set_lid(right, management_port, 3, 0);
  builder.set_lid(a, 1, 4, 0);
  builder.set_lid(b, 1, 5, 0);
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("hosts that swapped their leaves are reached again", "[stable]") {
  const Fabric before = two_leaves(false);
  const Fabric now = two_leaves(true);
  const StableRouting made =
      reroute_stably(now, transfer_tables(before, routed_by(before, "pssp"), now));
  CHECK(verify(now, made.tables).usable());
  CHECK(made.changes == EntryChanges{.kept = 9, .replaced = 6});
}

TEST_CASE("stable rerouting stops on request in all its passes", "[stable]") {
  const Fabric before = make_fabric("xgft 4,4 1,2");
  const Fabric now = make_fabric("xgft 4,4 1,2 --kill-links 2");
  const ForwardingTables previous = transfer_tables(before, routed_by(before, "pssp"), now);
  std::size_t checks = 0, stop_at = 0;
  const StopSignal stop([&] { return ++checks == stop_at; });
  const ForwardingTables tables = reroute_stably(now, previous, {}, stop).tables;
  CHECK(tables == reroute_stably(now, previous).tables);
  const std::size_t all = checks;
  CHECK(all > now.switch_count());
  for (stop_at = 1; stop_at <= all; ++stop_at) {
    checks = 0;
    CHECK_THROWS_AS(reroute_stably(now, previous, {}, stop), Stopped);
    CHECK(checks == stop_at);
  }
}

TEST_CASE("describe() lists the counts of all kinds of entry changes", "[stable]") {
  CHECK(describe(EntryChanges{.kept = 5, .replaced = 4, .moved = 3, .added = 2, .removed = 1}) ==
        "5 entries kept, 4 replaced, 3 moved, 2 added, 1 removed");
}

TEST_CASE("stable rerouting rejects unsuitable tables and options", "[stable]") {
  const Fabric fabric = make_fabric("mesh 2x2");
  const ForwardingTables tables = routed_by(fabric, "pssp");
  const auto kind_of = [](const auto& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  CHECK(kind_of([&] { reroute_stably(fabric, ForwardingTables(3, 9)); }) == ErrorKind::mismatch);
  CHECK(kind_of([&] { reroute_stably(fabric, tables, {.max_extra_hops = 16}); }) ==
        ErrorKind::usage);
  CHECK(kind_of([&] { reroute_stably(fabric, tables, {.least_gain = 101}); }) == ErrorKind::usage);
  const Fabric without_lids = std::move(make_topology("mesh 2x2")).build();
  CHECK(kind_of([&] { reroute_stably(without_lids, ForwardingTables(4, 0)); }) == ErrorKind::usage);
}
