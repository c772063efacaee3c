#include <catch2/catch.hpp>

#include "osm_plugin/lane_memory.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("the digest of a search depends on the cabling, the tables and every lane option") {
  const Fabric mesh = make_fabric("mesh 4x4 --hosts 2");
  const Fabric ring = make_fabric("torus 4x4 --hosts 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(mesh).tables;
  const LaneOptions options;
  const SearchDigest digest = digest_of(mesh, tables, options);
  CHECK(digest == digest_of(make_fabric("mesh 4x4 --hosts 2"), tables, options));
  CHECK(digest != digest_of(ring, tables, options));
  ForwardingTables others = tables;
  others.set(SwitchId(3), mesh.lids()[5], no_port);
  CHECK(digest != digest_of(mesh, others, options));
  for (const auto change : {+[](LaneOptions& each) { each.max_lanes = 2; },
                            +[](LaneOptions& each) { each.balance = true; },
                            +[](LaneOptions& each) { each.reversible = true; },
                            +[](LaneOptions& each) { each.switch_ports = false; },
                            +[](LaneOptions& each) { each.effort = 2; },
                            +[](LaneOptions& each) { each.insist = false; },
                            +[](LaneOptions& each) { each.budget = 5; },
                            +[](LaneOptions& each) { each.most_bytes = 6; }}) {
    LaneOptions changed = options;
    change(changed);
    CHECK(digest != digest_of(mesh, tables, changed));
  }
}

TEST_CASE("a failed search is forgotten only after 32 later failures") {
  LaneMemory memory;
  CHECK_FALSE(memory.find({1, 2}));
  memory.add({1, 2}, {9, true});
  REQUIRE(memory.find({1, 2}));
  CHECK(memory.find({1, 2})->needed == 9);
  CHECK(memory.find({1, 2})->budget_spent);
  CHECK_FALSE(memory.find({2, 1}));
  for (std::uint64_t i = 0; i < 31; ++i) memory.add({i, i}, {3, false});
  CHECK(memory.find({1, 2}));
  memory.add({99, 99}, {3, false});
  CHECK_FALSE(memory.find({1, 2}));
}
