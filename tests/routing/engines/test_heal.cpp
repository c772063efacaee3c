#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/destination_tree.h"
#include "routing/engines/heal.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ForwardingTables route(const Fabric& fabric, std::string_view engine,
                       std::string_view options = {}) {
  return make_engine(engine, EngineOptions::parse(options))->route(fabric).tables;
}

SuiteTimes times_of(const Fabric& fabric, const ForwardingTables& tables) {
  return StructuredSuite(fabric, order_hosts(fabric, HostOrderRule::name)).measure(tables);
}

std::string refusal(const char* spec) {
  try {
    route(make_fabric(spec), "heal");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unsuitable_topology);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("heal gives usable tables without credit loops on many kinds of trees") {
  for (const char* spec :
       {"chic --kill-links 20", "chic --kill-links 60 --seed 5", "chic --kill-links 1 --lmc 1",
        "chic --kill-switches 4 --seed 2", "k-ary-n-tree 4 2 --kill-links 3",
        "k-ary-n-tree 2 4 --kill-links 2", "xgft 8,8 1,4 --kill-links 5", "odin --kill-links 5",
        "director 288 --kill-links 9",
        "leaf-director --leafs 4 --hosts 16 --directors 2 --kill-links 2",
        "director-chain --directors 2 --cables 4 --hosts 20 --kill-links 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const VerifyReport report = verify(fabric, route(fabric, "heal", "heal.base=pssp"));
    CHECK(report.usable());
    CHECK_FALSE(report.has_credit_loop());
  }
}

TEST_CASE("heal connects all reachable pairs even if some have no up*/down* path") {
  for (const char* spec :
       {"xgft 8,8,8 1,4,4 --kill-links 40", "k-ary-n-tree 4 3 --kill-links 20",
        "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands",
        "k-ary-n-tree 4 2 --kill-links 9 --allow-islands", "thunderbird --kill-switches 20"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(verify(fabric, route(fabric, "heal", "heal.base=pssp")).usable());
  }
}

TEST_CASE("heal routes a complete tree with the base engine alone") {
  for (const char* spec :
       {"chic", "xgft 8,8,8 1,4,4", "k-ary-n-tree 4 2", "xgft 24,20 1,16", "xgft 5,6 1,3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(route(fabric, "heal") == route(fabric, "dmodk"));
  }
}

TEST_CASE("heal uses the base engine that its options select") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  CHECK(route(fabric, "heal", "heal.base=cassp") == route(fabric, "cassp"));
}

TEST_CASE("islands without an inferred link between them stay separate") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2 --kill-links 12 --allow-islands");
  const VerifyReport report = verify(fabric, route(fabric, "heal"));
  CHECK(report.usable());
  CHECK(report.unreachable_pairs == report.separated_pairs);
}

TEST_CASE("heal loses little performance of structured traffic if links are missing") {
  const Fabric fabric = make_fabric("chic --kill-links 20");
  const HealRouting heal_start = route_heal(fabric);
  CHECK(heal_start.inferred.size() == 20);
  const SuiteTimes times = times_of(fabric, heal_start.tables);
  CHECK(times.find("shifts")->time <= 2.1);
  CHECK(times.structured_slowdown <= 1.40);
  CHECK(estimate_bandwidth(fabric, heal_start.tables).mean >= .722);
  const SuiteTimes plain = times_of(fabric, route(fabric, "pssp"));
  CHECK(plain.find("shifts")->time > 3);
}

TEST_CASE("heal loses hardly any bandwidth if one link failed") {
  for (int seed = 1; seed <= 4; ++seed) {
    const Fabric fabric = make_fabric("chic --kill-links 1 --seed " + std::to_string(seed));
    const ForwardingTables tables = route(fabric, "heal");
    CHECK(estimate_bandwidth(fabric, tables).mean >= .738);
    CHECK(times_of(fabric, tables).find("shifts")->time <= 2.05);
  }
}

TEST_CASE("heal keeps entries of the complete tables that are valid and carry routes") {
  const Fabric fabric = make_fabric("chic --kill-links 20");
  const Fabric whole = make_fabric("chic");
  const ForwardingTables heal_start = route(fabric, "heal");
  const ForwardingTables complete = route(whole, "dmodk");
  DestinationTree tree(whole);
  UpDownDistances legal(fabric, *tree_order(fabric));
  std::size_t changed = 0;
  bool kept = true;
  for (const Lid lid : fabric.lids()) {
    const SwitchId root = fabric.delivery(lid).at;
    legal.search(root);
    tree.read(complete, lid);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const PortNumber port = complete.at(SwitchId(s), lid);
      if (heal_start.at(SwitchId(s), lid) == port) continue;
      ++changed;
      const PortTarget target = fabric.behind(SwitchId(s), port);
      kept &= target.kind != PortTarget::Kind::channel || !legal.is_next_hop(s, target.index) ||
              tree.endpoints()[s] == 0;
    }
  }
  CHECK(kept);
  CHECK(changed > 0);
}

TEST_CASE("heal gives a reason when it refuses a fabric that is not a tree") {
  for (const char* spec : {"torus 4x4", "mesh 5x5 --hosts 2", "random-regular 16 --degree 4"}) {
    CHECK_THAT(refusal(spec), Catch::Contains("not a tree"));
  }
}

TEST_CASE("heal rejects an unknown base engine") {
  CHECK_THROWS_AS(plan_healing(EngineOptions::parse("base=ftree")), Error);
}

TEST_CASE("additional LIDs of a host do not change how its base LID is repaired") {
  const std::string spec = "chic --kill-links 20";
  const Fabric one = make_fabric(spec);
  for (const std::string_view engine : {"heal", "dmodk"}) {
    const ForwardingTables tables_of_one = route(one, engine);
    for (const char* lmc : {" --lmc 1", " --lmc 2"}) {
      INFO(engine << lmc);
      const Fabric several = make_fabric(spec + lmc);
      const ForwardingTables tables = route(several, engine);
      std::size_t different = 0;
      for (const EndPortId e : one.endpoints()) {
        for (std::uint32_t s = 0; s < one.switch_count(); ++s) {
          if (tables.at(SwitchId(s), several.end_port(e).lid) !=
              tables_of_one.at(SwitchId(s), one.end_port(e).lid))
            ++different;
        }
      }
      CHECK(different == 0);
    }
  }
}
