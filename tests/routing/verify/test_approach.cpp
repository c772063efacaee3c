#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "base/random.h"
#include "routing/engines/engine.h"
#include "routing/verify/approach.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Tables with some random entries.
ForwardingTables damaged(const Fabric& fabric, ForwardingTables tables, RandomGenerator& random,
                         unsigned entries) {
  for (unsigned i = 0; i < entries; ++i) {
    const SwitchId s(random.below(static_cast<std::uint32_t>(fabric.switch_count())));
    const Lid lid = fabric.lids()[random.below(static_cast<std::uint32_t>(fabric.lids().size()))];
    tables.set(s, lid, static_cast<PortNumber>(random.below(4) == 0 ? no_port : random.below(9)));
  }
  return tables;
}

std::string counts(const VerifyReport& report) {
  return describe_defects(report) + " and " + std::to_string(report.separated_pairs);
}

}  // namespace

TEST_CASE("verification with the quick proof finds the same defects as following all routes") {
  const std::string spec =
      GENERATE("k-ary-n-tree 4 2 --lids", "torus 4x4 --hosts 2 --lids --lmc 1",
               "random-regular 12 --degree 3 --hosts 2 --lids --seed 5",
               "k-ary-n-tree 4 2 --kill-links 9 --allow-islands --lids --absent-hosts 3");
  const Fabric fabric = make_fabric(spec);
  RandomGenerator random(7, 0);
  const ForwardingTables whole = make_engine("updown", {})->route(fabric).tables;
  for (unsigned trial = 0; trial < 30; ++trial) {
    INFO(spec << ", trial " << trial << ", wrong entries: " << trial % 6);
    const ForwardingTables tables = damaged(fabric, whole, random, trial % 6);
    // To find credit loops, verify() follows the routes of all LIDs.
    const VerifyReport exact = verify(fabric, tables, {.credit_loops = true, .max_examples = 100});
    const VerifyReport quick = verify(fabric, tables, {.credit_loops = false, .max_examples = 100});
    CHECK(counts(quick) == counts(exact));
    CHECK(quick.examples == exact.examples);
    CHECK(std::ranges::is_sorted(lids_without_quick_proof(fabric, tables)));
  }
}

TEST_CASE("minimal paths need no more than the quick proof") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 3 --kill-links 3 --lids");
  CHECK(lids_without_quick_proof(fabric, make_engine("pssp", {})->route(fabric).tables).empty());
}

TEST_CASE("verify_one_lane finds the same dependencies and cycle as verify_lanes") {
  const std::string spec = GENERATE("torus 5x3 --hosts 2 --lids", "k-ary-n-tree 3 3 --lids",
                                    "random-regular 14 --degree 3 --hosts 1 --lids --lmc 1",
                                    "mesh 4x4 --hosts 1 --lids");
  const Fabric fabric = make_fabric(spec);
  RandomGenerator random(11, 0);
  for (const char* const engine : {"pssp", "updown"}) {
    const ForwardingTables whole = make_engine(engine, {})->route(fabric).tables;
    for (unsigned entries = 0; entries < 12; ++entries) {
      INFO(spec << ", " << engine << ", wrong entries: " << entries);
      const ForwardingTables tables = damaged(fabric, whole, random, entries);
      const LaneReport all = verify_lanes(fabric, tables, level_zero(tables));
      const LaneReport one = verify_one_lane(fabric, tables);
      CHECK(one.is_deadlock_free() == all.is_deadlock_free());
      CHECK(one.dependencies == all.dependencies);
      CHECK(one.cycle == all.cycle);
      CHECK(one.lanes == all.lanes);
    }
  }
}
