#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "fabric/builder.h"
#include "fabric/tables/service_levels.h"
#include "routing/repair/baseline.h"
#include "routing/repair/longest_extra_hops.h"
#include "routing/repair/repair_tables.h"
#include "routing/repair/table_transfer.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/routing/repair/repair_testing.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;
using pssp::test::route;

namespace {

constexpr const char* specs[] = {"k-ary-n-tree 4 2",
                                 "xgft 4,4,4 1,2,2",
                                 "director 48",
                                 "mesh 4x4 --hosts 2",
                                 "torus 3x4x3",
                                 "torus 4x4 --hosts 2 --lmc 1",
                                 "hypercube 4 --hosts 2 --shuffle-guids",
                                 "dragonfly --switches 3 --global-links 1 --hosts 1"};

/// The tables in force on a fabric whose links fail and return.
class Course {
 public:
  Course(const Fabric& whole, ForwardingTables baseline)
      : whole_(whole),
        baseline_(std::move(baseline)),
        now_(survivors(whole, {}, {})),
        in_force_(baseline_) {}

  StableRouting step(const std::vector<ChannelId>& missing, const StableOptions& options = {}) {
    Fabric next = survivors(whole_, {}, missing);
    const ForwardingTables baseline = transfer_tables(whole_, baseline_, next);
    const ForwardingTables before = transfer_tables(now_, in_force_, next);
    StableRouting made = repair(next, {.baseline = baseline}, options);
    made.changes = changes_since(next, before, made.tables, options.max_extra_hops);
    now_ = std::move(next);
    in_force_ = made.tables;
    return made;
  }

  const Fabric& now() const { return now_; }

 private:
  const Fabric& whole_;
  ForwardingTables baseline_;
  Fabric now_;
  ForwardingTables in_force_;
};

/// The fabric without host `gone`, whose LID becomes free and whose port has no cable. All links
/// have the same rate, but link `slow` has a quarter of it.
Fabric changed(const Fabric& fabric, EndPortId gone, ChannelId slow = {}) {
  const LinkRate usual{4, 25'000};
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (const Switch& each : fabric.switches()) {
    switches.push_back(builder.add_switch(each.guid, each.ports, each.name, each.description));
    builder.set_lid(switches.back(), management_port, each.lid, each.lmc);
  }
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& each = fabric.end_port(EndPortId(e));
    if (EndPortId(e) == gone || !each.attached.valid()) continue;
    const NodeId node = builder.add_adapter(each.node_guid, 1, each.kind, each.name, {});
    builder.set_port_guid(node, each.port, each.port_guid);
    builder.set_lid(node, each.port, each.lid, each.lmc);
    builder.connect(node, each.port, switches[each.attached.value()], each.switch_port, usual);
  }
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    builder.connect(switches[fabric.channel_tail()[c]], fabric.channel_out_port()[c],
                    switches[fabric.channel_head()[c]], fabric.channel_in_port()[c], usual);
  }
  if (slow.valid()) {
    const std::uint32_t c = slow.value();
    builder.set_rate(switches[fabric.channel_tail()[c]], fabric.channel_out_port()[c],
                     {1, usual.megabits_per_lane});
  }
  return std::move(builder).build();
}

/// Number of entries that differ, except entries for the LIDs of one host.
std::size_t differing(const Fabric& fabric, const ForwardingTables& a, const ForwardingTables& b,
                      const EndPort& but) {
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (lid >= but.lid && lid < but.lid + (1U << but.lmc)) continue;
      if (a.at(SwitchId(s), lid) != b.at(SwitchId(s), lid)) ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("repair returns to the baseline when the fabric is complete again", "[stable]") {
  for (const char* spec : specs) {
    const Fabric whole = make_fabric(spec);
    for (const char* engine : {"pssp", "updown"}) {
      const ForwardingTables baseline = route(whole, engine);
      Course course(whole, baseline);
      std::mt19937_64 random(7);
      std::vector<ChannelId> missing;
      for (int event = 0; event < 30; ++event) {
        INFO(spec << ", " << engine << ", event " << event);
        if (missing.size() < 4 && random() % 2 == 0) {
          missing.emplace_back(static_cast<std::uint32_t>(random() % whole.channel_count()));
        } else if (!missing.empty()) {
          missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(random() % missing.size()));
        }
        const bool with_nonminimal_paths = event % 7 == 0;
        const StableOptions options{.max_extra_hops = with_nonminimal_paths ? 2U : 0U,
                                    .keep_long_management_paths = true};
        const StableRouting made = course.step(missing, options);
        REQUIRE(verify(course.now(), made.tables, {.credit_loops = false}).forwarding_loops == 0);
        const EntryChanges good = test::least_changes(course.now(), made.tables);
        CHECK(good.added == 0);
        CHECK(good.removed == 0);
      }
      // The paths of updown can be non-minimal, so the options must allow such paths.
      const StableOptions options{.max_extra_hops = 15, .keep_long_management_paths = true};
      CHECK(course.step({}, options).tables == baseline);
    }
  }
}

TEST_CASE("repair changes few entries more than necessary", "[stable]") {
  for (const char* spec : {"k-ary-n-tree 4 3", "k-ary-n-tree 3 4"}) {
    const Fabric whole = make_fabric(spec);
    Course course(whole, route(whole, "pssp"));
    std::mt19937_64 random(3);
    std::vector<ChannelId> missing;
    EntryChanges all;
    for (int event = 0; event < 12; ++event) {
      missing.emplace_back(static_cast<std::uint32_t>(random() % whole.channel_count()));
      const EntryChanges changes = course.step(missing).changes;
      all.replaced += changes.replaced;
      all.moved += changes.moved;
      // The damage does not change.
      const EntryChanges none = course.step(missing).changes;
      CHECK(none.replaced + none.moved == 0);
    }
    INFO(spec << ": " << all.replaced << " replaced, " << all.moved << " moved");
    CHECK(all.moved < all.replaced);
  }
}

TEST_CASE("the removal of a host changes no entry of another host", "[stable]") {
  const Fabric whole = make_fabric("xgft 4,4,4 1,2,2");
  const Baseline baseline = make_baseline(whole, route(whole, "pssp"));
  for (const bool is_damaged : {false, true}) {
    std::vector<ChannelId> missing;
    if (is_damaged) missing = {ChannelId(5), ChannelId(40), ChannelId(77)};
    const Fabric now = survivors(whole, {}, missing);
    const ForwardingTables before = repaired(baseline, now, nullptr, {}, {}).tables;
    for (const EndPortId host : {EndPortId(0), EndPortId(9)}) {
      const EndPort& gone = now.end_port(host);
      const Fabric less = changed(now, host);
      const StableRouting made = repaired(baseline, less, &before, {}, {});
      CHECK(differing(less, made.tables, before, gone) == 0);
      CHECK(made.changes.moved + made.changes.replaced + made.changes.added == 0);
      CHECK(made.changes.removed != 0);
      // When the host returns, it gets its earlier entries.
      CHECK(repaired(baseline, now, &made.tables, {}, {}).tables == before);
    }
  }
}

TEST_CASE("repair handles a failed switch whose hosts are absent", "[stable]") {
  for (const char* spec : {"xgft 4,4,4 1,2,2", "torus 3x4x3", "mesh 4x4 --hosts 2"}) {
    const Fabric whole = changed(make_fabric(spec), {});
    const Baseline baseline = make_baseline(whole, route(whole, "pssp"));
    for (const std::uint32_t leaf : {0U, 5U, 11U}) {
      INFO(spec << ", switch " << leaf);
      // The subnet manager does not see these hosts at all.
      const Fabric now = changed(survivors(whole, std::vector{SwitchId(leaf)}, {}), {});
      REQUIRE(now.end_port_count() < whole.end_port_count());
      const StableRouting made = repaired(baseline, now, nullptr, {}, {});
      CHECK(verify(now, made.tables, {.credit_loops = false}).usable());
      // When the leaf returns, the tables in force have no entries for it yet.
      const ForwardingTables in_force = transfer_tables(now, made.tables, whole);
      CHECK(repaired(baseline, whole, &in_force, {}, {}).tables == baseline.tables);
    }
  }
}

TEST_CASE("repair keeps non-minimal paths of the baseline", "[stable]") {
  const Fabric whole = make_fabric("torus 7x3 --hosts 2");
  const Baseline baseline = make_baseline(whole, route(whole, "updown"));
  CHECK(baseline.max_extra_hops == longest_extra_hops(whole, baseline.tables));
  REQUIRE(baseline.max_extra_hops > 0);
  const StableOptions options{.keep_long_management_paths = true};
  CHECK(repaired(baseline, whole, nullptr, options, {}).tables == baseline.tables);
  const Fabric less = survivors(whole, {}, std::vector<ChannelId>{ChannelId(3)});
  const EntryChanges changes = repaired(baseline, less, nullptr, options, {}).changes;
  CHECK(10 * (changes.replaced + changes.moved) < changes.kept);
}

TEST_CASE("repair moves routes away from a link that has become slow", "[stable]") {
  const Fabric whole = changed(make_fabric("xgft 8,8 1,4"), {});
  const ForwardingTables baseline = route(whole, "pssp");
  CHECK(repair(whole, {.baseline = baseline, .cost_at_baseline = whole.channel_cost()}).tables ==
        baseline);
  const Fabric slow = changed(whole, {}, ChannelId(whole.first_channel()[0]));
  const StableRouting made =
      repair(slow, {.baseline = baseline, .cost_at_baseline = whole.channel_cost()});
  CHECK(made.changes.moved > 0);
  CHECK(made.changes.replaced == 0);
}

TEST_CASE("repair of a tree needs one virtual lane whatever links are missing", "[stable]") {
  for (const char* spec : {"k-ary-n-tree 4 3", "xgft 4,4,4 1,2,2"}) {
    const Fabric whole = make_fabric(spec);
    const Baseline baseline = make_baseline(whole, route(whole, "dmodk"));
    REQUIRE_FALSE(baseline.preference.empty());
    std::mt19937_64 random(11);
    for (int i = 0; i < 20; ++i) {
      INFO(spec << ", damage " << i);
      std::vector<ChannelId> missing;
      for (int links = 0; links < 1 + i; ++links) {
        missing.emplace_back(static_cast<std::uint32_t>(random() % whole.channel_count()));
      }
      const Fabric now = survivors(whole, {}, missing);
      const ForwardingTables tables = repaired(baseline, now, nullptr, {}, {}).tables;
      CHECK(verify(now, tables).usable());
      CHECK(verify_lanes(now, tables, level_zero(tables)).is_deadlock_free());
    }
  }
}
