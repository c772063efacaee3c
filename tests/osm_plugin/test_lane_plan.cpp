#include <catch2/catch.hpp>
#include <set>

#include "osm_plugin/lane_plan.h"
#include "routing/engines/engine.h"
#include "tests/routing/deadlock/lane_oracle.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

struct Routed {
  explicit Routed(const char* spec)
      : fabric(make_fabric(spec)), tables(make_engine("pssp", {})->route(fabric).tables) {}
  Fabric fabric;
  ForwardingTables tables;
};

LaneSupply lanes(unsigned now, unsigned after_sweep = 0) {
  return {true, now, std::max(now, after_sweep), "the narrowest link"};
}

const LaneSupply no_qos{};

LanePlan plan(const Routed& routed, const LaneSupply& supply, const DeadlockOptions& options = {},
              const PathLevels* previous = nullptr) {
  return plan_lanes(routed.fabric, routed.tables, supply, options, {previous, nullptr});
}

/// Checks that every route has a service level and, with Boost.Graph, that no lane has a cycle.
void check_levels(const Routed& routed, const LanePlan& result) {
  REQUIRE(result.levels);
  CHECK(result.refusal.empty());
  CHECK(std::ranges::none_of(result.remarks, [](const LogMessage& each) {
    return each.kind == decltype(each.kind)(LogCode::failed_check);
  }));
  const auto routes =
      test::routes_by_level(routed.fabric, routed.tables, result.levels->levels(), true);
  for (const auto& of_level : routes) CHECK(test::is_acyclic(routed.fabric, of_level));
  test::for_each_route(routed.fabric, routed.tables, true,
                       [&](SwitchId s, Lid lid, const test::Route& /*route*/) {
                         CHECK(result.levels->levels().at(s, lid) != no_service_level);
                       });
}

std::set<unsigned> levels_in(const LanePlan& result) {
  std::set<unsigned> used;
  const ServiceLevels& levels = result.levels->levels();
  for (std::uint32_t s = 0; s < levels.switch_count(); ++s) {
    for (const ServiceLevel level : levels.row(SwitchId(s))) {
      if (level != no_service_level) used.insert(level);
    }
  }
  return used;
}

constexpr DeadlockOptions require{DeadlockPolicy::require};
constexpr DeadlockOptions ignore{DeadlockPolicy::ignore};

}  // namespace

TEST_CASE("OpenSM keeps its own service levels if one lane is enough") {
  const Routed tree("k-ary-n-tree 4 2");
  for (const LaneSupply& supply : {lanes(8), lanes(1), no_qos}) {
    const LanePlan result = plan(tree, supply);
    CHECK_FALSE(result.levels);
    CHECK(result.refusal.empty());
    CHECK(result.remarks.empty());
    CHECK(result.lanes_used == 1);
  }
  CHECK(plan(tree, lanes(1), require).refusal.empty());
  // deadlock=require needs QoS even here, because the next fault may make a second lane necessary.
  CHECK_THAT(plan(tree, no_qos, require).refusal, Contains("qos TRUE"));
}

TEST_CASE("routes that need two lanes get two service levels, unless deadlock is ignored") {
  const Routed torus("torus 5x5 --hosts 2");
  for (const DeadlockPolicy policy : {DeadlockPolicy::require, DeadlockPolicy::prefer}) {
    const LanePlan result = plan(torus, lanes(8), {policy});
    check_levels(torus, result);
    CHECK(levels_in(result) == std::set<unsigned>{0, 1});
    CHECK(result.lanes_used == 2);
    CHECK(result.lanes == 8);
    CHECK(result.remarks.empty());
    CHECK(result.details.empty());
    CHECK_FALSE(result.worth_another_sweep);
  }
  const LanePlan nothing = plan(torus, lanes(8), ignore);
  CHECK_FALSE(nothing.levels);
  CHECK(nothing.lanes == 0);
  CHECK(nothing.remarks.empty());
  CHECK(nothing.refusal.empty());
}

TEST_CASE("too few lanes are refused or reported, with the option to set") {
  const Routed torus("torus 5x5 --hosts 2");
  LanePlan result = plan(torus, lanes(1), require);
  CHECK_FALSE(result.levels);
  CHECK_THAT(result.refusal, Contains("need 2 virtual lanes") && Contains("1 can be used") &&
                                 Contains("the narrowest link"));
  CHECK_FALSE(result.worth_another_sweep);

  result = plan(torus, lanes(1));
  CHECK_FALSE(result.levels);
  CHECK(result.refusal.empty());
  REQUIRE(result.remarks.size() == 1);
  CHECK_THAT(to_line(result.remarks[0]), Contains("can deadlock") && Contains("credit loop of") &&
                                             Contains("need 2 virtual lanes"));
  CHECK_THAT(result.details, Contains(" -> "));

  result = plan(torus, no_qos);
  REQUIRE(result.remarks.size() == 1);
  CHECK_THAT(to_line(result.remarks[0]), Contains("QoS is off") && Contains("qos TRUE"));
}

TEST_CASE("another sweep is worthwhile only if it provides the missing lanes") {
  const Routed torus("torus 5x5 --hosts 2");
  for (const DeadlockPolicy policy : {DeadlockPolicy::require, DeadlockPolicy::prefer}) {
    CHECK(plan(torus, lanes(1, 2), {policy}).worth_another_sweep);
    CHECK_FALSE(plan(torus, lanes(2, 8), {policy}).worth_another_sweep);
  }
  CHECK_THAT(plan(torus, lanes(1, 4), require).refusal,
             Contains("raises the number of virtual lanes to 4"));
  CHECK_FALSE(plan(torus, lanes(1, 2), {DeadlockPolicy::require, true}).worth_another_sweep);
  CHECK(plan(torus, lanes(2, 8), {DeadlockPolicy::prefer, false, false, 2}).worth_another_sweep);
}

TEST_CASE("first_lane shifts the service levels, and balance uses all lanes") {
  const Routed torus("torus 5x5 --hosts 2");
  LanePlan result = plan(torus, lanes(8), {DeadlockPolicy::require, false, false, 3});
  check_levels(torus, result);
  CHECK(levels_in(result) == std::set<unsigned>{3, 4});
  CHECK(result.lanes_used == 2);
  CHECK(result.lanes == 8);
  result = plan(torus, lanes(8), {DeadlockPolicy::require, false, true, 0});
  check_levels(torus, result);
  CHECK(levels_in(result).size() == 8);
  result = plan(torus, lanes(15), {DeadlockPolicy::require, false, true, 14});
  CHECK_THAT(result.refusal, Contains("1 can be used"));
  result = plan(torus, lanes(4), {DeadlockPolicy::require, false, false, 4});
  CHECK_THAT(result.refusal, Contains("first_lane=4") && Contains("leaves none of 4"));

  // first_lane also applies to routes without cycles. Without QoS it cannot be applied.
  const Routed tree("k-ary-n-tree 4 2");
  result = plan(tree, lanes(8), {DeadlockPolicy::prefer, false, false, 5});
  check_levels(tree, result);
  CHECK(levels_in(result) == std::set<unsigned>{5});
  result = plan(tree, no_qos, {DeadlockPolicy::prefer, false, true, 5});
  CHECK_FALSE(result.levels);
  CHECK(result.remarks.empty());
}

TEST_CASE(
    "reversible paths have one service level in both directions, or a remark gives the reason") {
  const Routed ring("torus 6 --hosts 2");
  const LanePlan both = plan(ring, lanes(8), {DeadlockPolicy::require, true});
  check_levels(ring, both);
  CHECK(both.levels->reversible());
  CHECK(both.levels->reversible());
  for (const Lid a : ring.fabric.lids()) {
    for (const Lid b : ring.fabric.lids()) {
      if (both.levels->between(a, b) != both.levels->between(b, a)) {
        FAIL("LIDs " << a << " and " << b << " have two levels");
      }
    }
  }

  CHECK_THAT(plan(ring, lanes(2), {DeadlockPolicy::require, true}).refusal,
             Contains("with reversible=on"));
  const LanePlan apart = plan(ring, lanes(2), {DeadlockPolicy::prefer, true});
  check_levels(ring, apart);
  CHECK_FALSE(apart.levels->reversible());
  REQUIRE(apart.remarks.size() == 1);
  CHECK_THAT(apart.remarks[0].text, Contains("reversible=on needs 3") && Contains("2 can be"));
  // The next plan tries again and repeats the remark. The levels stay.
  const LanePlan again =
      plan(ring, lanes(2), {DeadlockPolicy::prefer, true}, &apart.levels.value());
  check_levels(ring, again);
  CHECK(again.levels->levels() == apart.levels->levels());
  CHECK(again.remarks == apart.remarks);
  const LanePlan more = plan(ring, lanes(8), {DeadlockPolicy::prefer, true}, &apart.levels.value());
  CHECK(more.levels->reversible());
}

TEST_CASE("service levels that are still deadlock-free are kept") {
  const Routed torus("torus 5x5 --hosts 2");
  const LanePlan first = plan(torus, lanes(8), {DeadlockPolicy::require, false, true});
  const LanePlan second = plan(torus, lanes(8), require, &first.levels.value());
  check_levels(torus, second);
  CHECK(second.levels->levels() == first.levels->levels());
  CHECK(second.lanes_used == 8);
  CHECK(second.keeps_levels);
  CHECK(second.remarks.empty());
  // Levels on lanes that no longer exist are not kept.
  const LanePlan fewer = plan(torus, lanes(4), require, &first.levels.value());
  check_levels(torus, fewer);
  CHECK(levels_in(fewer) == std::set<unsigned>{0, 1});
  CHECK(fewer.remarks.empty());
  REQUIRE(fewer.changes_now.size() == 1);
  CHECK_THAT(fewer.changes_now[0], Contains("another service level than before"));

  // Levels that would cause a credit loop are replaced. Levels of a fabric that lacked some hosts
  // are extended.
  const PathLevels wrong(torus.fabric, level_zero(torus.tables), false);
  const LanePlan repaired = plan(torus, lanes(8), require, &wrong);
  check_levels(torus, repaired);
  CHECK_FALSE(repaired.keeps_levels);
  const Routed smaller("torus 5x5 --hosts 1");
  const LanePlan before = plan(smaller, lanes(8), require);
  check_levels(torus, plan(torus, lanes(8), require, &before.levels.value()));
}

TEST_CASE("lane plans stay deadlock-free through a series of different fabrics") {
  std::optional<PathLevels> levels;
  for (const char* const spec :
       {"torus 5x5", "torus 5x5 --kill-links 1", "torus 5x5 --kill-links 4",
        "torus 5x5 --kill-switches 3", "torus 5x5", "mesh 5x5", "torus 5x5 --lmc 2"}) {
    CAPTURE(spec);
    const Routed routed(spec);
    LanePlan result = plan(routed, lanes(8), require, levels ? &*levels : nullptr);
    check_levels(routed, result);
    levels = std::move(result.levels);
  }
}

TEST_CASE("level_zero() gives level 0 to each table entry and no level to other LIDs") {
  const Routed torus("torus 5x5");
  const ServiceLevels levels = level_zero(torus.tables);
  REQUIRE(levels.max_lid() == torus.fabric.max_lid());
  for (const Lid lid : torus.fabric.lids()) CHECK(levels.at(SwitchId(3), lid) == 0);
  CHECK(levels.at(SwitchId(3), 0) == no_service_level);
}

TEST_CASE("a search that the memory knows to fail is not repeated") {
  const Routed torus("torus 5x5 --hosts 2");
  LaneOptions searched;
  searched.max_lanes = 8;
  searched.budget = 1'000'000 * DeadlockOptions{}.budget;
  LaneMemory memory;
  const LaneSupply supply = lanes(8);
  const auto with_memory = [&] {
    return plan_lanes(torus.fabric, torus.tables, supply, require, {}, &memory);
  };
  // A successful search adds nothing to the memory.
  CHECK(with_memory().levels);
  CHECK(with_memory().levels);
  // The plan reports the invented failure, so it has consulted the memory.
  memory.add(digest_of(torus.fabric, torus.tables, searched), {11, false});
  CHECK_THAT(with_memory().refusal,
             Contains("these routes need 11 virtual lanes, and 8 can be used"));
  // A different number of lanes is a different search.
  const LanePlan others = plan_lanes(torus.fabric, torus.tables, lanes(7), require, {}, &memory);
  CHECK(others.levels);
}

TEST_CASE("a search that reaches its budget is reported and recorded as a failure") {
  const Routed torus("torus 6x6x4");
  DeadlockOptions options = require;
  options.budget = 1;
  LaneMemory memory;
  const LanePlan first = plan_lanes(torus.fabric, torus.tables, lanes(2), options, {}, &memory);
  CHECK_THAT(first.refusal, Contains("ended after 1 million changes"));
  LaneOptions searched;
  searched.max_lanes = 2;
  searched.budget = 1'000'000;
  const auto failed = memory.find(digest_of(torus.fabric, torus.tables, searched));
  REQUIRE(failed);
  CHECK(failed->budget_spent);
  CHECK(plan_lanes(torus.fabric, torus.tables, lanes(2), options, {}, &memory).refusal ==
        first.refusal);
}
