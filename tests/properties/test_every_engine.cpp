// Runs every engine of the registry on random fabrics. An engine must connect all pairs that can be
// connected, or refuse the fabric with a reason.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <string>

#include "base/error.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tests/properties/plan_oracle.h"
#include "tests/properties/random_plan.h"
#include "tests/routing/deadlock/lane_oracle.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// Draws options with small work budgets that exercise the variants of all engines.
std::string draw_options(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto one_of = [&random](const auto& values) { return values[random() % values.size()]; };
  constexpr std::array extra_hops{0, 1, 2, 15};
  constexpr std::array orders{"best", "by_switch", "round_robin"};
  constexpr std::array p2ssp_starts{"best", "pssp", "diagonal", "scattered"};
  constexpr std::array cassp_starts{"best", "pssp", "p2ssp", "meshdor", "updown"};
  constexpr std::array objectives{"bandwidth", "worst_host", "index", "all_to_all"};
  constexpr std::array budgets{0, 1};
  constexpr std::array root_counts{1, 3, 64};
  // One statement for each option: a compiler may evaluate function arguments in any order.
  std::string options;
  const auto add = [&options](std::string_view name, const auto& value) {
    options += fmt::format("{}{}={}", options.empty() ? "" : " ", name, value);
  };
  add("pssp.max_extra_hops", one_of(extra_hops));
  add("pssp.order", one_of(orders));
  add("p2ssp.start", one_of(p2ssp_starts));
  add("p2ssp.rip_up", one_of(budgets));
  add("cassp.start", one_of(cassp_starts));
  add("cassp.passes", one_of(budgets));
  add("cassp.noisy_passes", one_of(budgets));
  add("cassp.work", 1);
  add("cassp.max_extra_hops", one_of(extra_hops));
  add("cassp.seed", random() % 1000);
  add("best.objective", one_of(objectives));
  add("updown.roots", one_of(root_counts));
  add("updown.work", one_of(budgets));
  return options;
}

/// meshdor needs a mesh, and cassp may start from meshdor. heal and dmodk need a tree.
bool may_refuse(const std::string& engine, const std::string& options) {
  return engine == "meshdor" || engine == "heal" || engine == "dmodk" ||
         (engine == "cassp" && options.find("cassp.start=meshdor") != std::string::npos);
}

void check_lanes(const Fabric& fabric, const ForwardingTables& tables, std::uint64_t seed) {
  LaneOptions options;
  options.balance = seed % 2 == 0;
  options.reversible = seed % 3 == 0;
  options.switch_ports = seed % 5 != 0;
  const LaneAssignment lanes = assign_lanes(fabric, tables, options);
  if (lanes.needed > max_data_lanes) {
    // Non-minimal routes that share a virtual lane with their reverse routes can need too many
    // lanes.
    CHECK(options.reversible);
    return;
  }
  const LaneReport report =
      verify_lanes(fabric, tables, lanes.service_levels, {.switch_ports = options.switch_ports});
  INFO(describe_deadlock(fabric, report));
  CHECK(report.is_deadlock_free());
  for (const auto& routes :
       routes_by_level(fabric, tables, lanes.service_levels, options.switch_ports)) {
    CHECK(is_acyclic(fabric, routes));
  }
}

/// On every fabric, `best` finds tables that are deadlock-free on one virtual lane.
void check_one_lane(const Fabric& fabric, const std::string& options) {
  const auto fits = [&](const ForwardingTables& tables) {
    return assign_lanes(fabric, tables).needed == 1;
  };
  const Routing routing =
      make_engine("best", EngineOptions::parse(options))->route(fabric, {.accept = fits});
  CHECK(verify(fabric, routing.tables).usable());
  CHECK(fits(routing.tables));
}

struct Counts {
  std::size_t routed = 0, refused = 0;
};

void check_engine(const std::string& engine, const std::string& options, std::uint64_t seed,
                  Counts& counts) {
  const RandomPlan plan = draw_plan(seed);
  const Fabric fabric = to_fabric(plan, seed);
  INFO("engine " << engine << ", seed " << seed << ": " << plan.recipe << "; options " << options);
  Routing routing;
  try {
    routing = make_engine(engine, EngineOptions::parse(options))->route(fabric);
  } catch (const Error& error) {
    INFO(error.what());
    CHECK_FALSE(std::string(error.what()).empty());
    const bool has_no_lids = plan.lids.empty();
    const bool has_cable = !plan.cables.empty();
    CHECK(error.kind() ==
          (has_no_lids && has_cable ? ErrorKind::usage : ErrorKind::unsuitable_topology));
    CHECK((has_no_lids || may_refuse(engine, options)));
    ++counts.refused;
    return;
  }
  ++counts.routed;
  const PlanOracle oracle(plan, fabric);
  CHECK(oracle.find_fault(routing.tables) == "");
  const VerifyReport report = verify(fabric, routing.tables);
  CHECK(report.usable());
  CHECK(report.separated_pairs == oracle.separated_pairs());
  CHECK(report.forwarding_loops == 0);
  check_lanes(fabric, routing.tables, seed);
  if (engine == "best") check_one_lane(fabric, options);

  // The order in which nodes and cables were found does not change the tables.
  const Fabric again = to_fabric(plan, seed + 1);
  CHECK(make_engine(engine, EngineOptions::parse(options))->route(again).tables == routing.tables);
}

}  // namespace

TEST_CASE("every engine routes a random fabric completely or refuses it with a reason") {
  const PlanSeeds seeds = seeds_from_environment();
  for (const EngineDescription& engine : engine_registry()) {
    Counts counts;
    for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
      check_engine(std::string(engine.name), draw_options(seed), seed, counts);
    }
    if (std::getenv("PSSP_PROPERTY_FABRICS") != nullptr) {
      WARN(engine.name << ": " << counts.routed << " fabrics routed, " << counts.refused
                       << " refused");
    }
    CHECK(counts.routed > 0);
  }
}
