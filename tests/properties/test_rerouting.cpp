// Reroutes random fabrics from previous tables that are right, partly wrong or random.

#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/properties/plan_oracle.h"
#include "tests/properties/random_plan.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// Tables of an engine with about one entry in eight overwritten at random, or entirely random
/// tables. They cover fewer LIDs than the fabric, or more.
ForwardingTables draw_previous(const Fabric& fabric, std::mt19937_64& random) {
  const ForwardingTables noise = noise_tables(fabric, random());
  const bool any = random() % 4 == 0;
  const ForwardingTables routed = any ? noise : make_engine("pssp", {})->route(fabric).tables;
  const std::uint64_t half_spans = random() % 3;
  const auto widest = static_cast<Lid>(fabric.max_lid() * half_spans / 2 + random() % 8);
  ForwardingTables previous(fabric.switch_count(), widest);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (Lid lid = 1; lid <= widest; ++lid) {
      if (lid > fabric.max_lid()) {
        previous.set(SwitchId(s), lid, static_cast<PortNumber>(random() % 256));
      } else {
        const bool overwritten = random() % 8 == 0;
        previous.set(SwitchId(s), lid, (overwritten ? noise : routed).at(SwitchId(s), lid));
      }
    }
  }
  return previous;
}

void check_rerouting(std::uint64_t seed) {
  const RandomPlan plan = draw_plan(seed);
  const Fabric fabric = to_fabric(plan, seed);
  INFO("seed " << seed << ": " << plan.recipe);
  if (!fabric.has_lids()) {
    CHECK_THROWS_AS(reroute_stably(fabric, ForwardingTables(fabric.switch_count(), 1)), Error);
    return;
  }
  std::mt19937_64 random(seed);
  constexpr std::array extra_hops{0U, 1U, 15U};
  constexpr std::array gains{0U, 25U, 100U};
  StableOptions options;
  options.max_extra_hops = extra_hops[random() % extra_hops.size()];
  options.least_gain = gains[random() % gains.size()];
  const ForwardingTables previous = draw_previous(fabric, random);
  const StableRouting made = reroute_stably(fabric, previous, options);
  CHECK(PlanOracle(plan, fabric).find_fault(made.tables) == "");
  const VerifyReport report = verify(fabric, made.tables);
  CHECK(report.usable());
  CHECK(report.forwarding_loops == 0);

  // Usable tables do not change if no entry may be moved for balance.
  options.least_gain = 100;
  CHECK(reroute_stably(fabric, made.tables, options).tables == made.tables);
}

}  // namespace

TEST_CASE("rerouting connects every reachable pair whatever the previous tables were") {
  const PlanSeeds seeds = seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    check_rerouting(seed);
  }
}
