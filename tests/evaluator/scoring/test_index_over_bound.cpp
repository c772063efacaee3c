// Tests the description of the cut that bounds the edge forwarding index by its smaller side.

#include <catch2/catch.hpp>
#include <vector>

#include "evaluator/scoring/index_over_bound.h"
#include "fabric/builder.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("the smaller side of a cut is named for any side that the search found") {
  const Fabric fabric = make_fabric("mesh 5");
  const auto ids = [](std::initializer_list<std::uint32_t> values) {
    std::vector<SwitchId> switches;
    for (const std::uint32_t value : values) switches.emplace_back(value);
    return switches;
  };
  CutSide side = smaller_side(fabric, {1, ids({0, 1})});
  CHECK(side.switches == ids({0, 1}));
  CHECK(side.others == 3);
  side = smaller_side(fabric, {1, ids({1, 2, 3, 4})});
  CHECK(side.switches == ids({0}));
  CHECK(side.others == 4);
  side = smaller_side(fabric, {1, ids({0, 1, 2})});
  CHECK(side.switches == ids({3, 4}));
  CHECK(side.others == 3);
  CHECK(smaller_side(fabric, {}).switches.empty());
}

TEST_CASE("switches of other islands are on neither side of a cut") {
  FabricBuilder builder;
  std::vector<NodeId> nodes;
  for (std::uint64_t i = 0; i < 6; ++i) nodes.push_back(builder.add_switch(1 + i, 4, "", ""));
  builder.connect(nodes[0], 1, nodes[1], 1, {});
  for (std::size_t i = 2; i < 5; ++i) builder.connect(nodes[i], 1, nodes[i + 1], 2, {});
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  const CutSide side = smaller_side(fabric, {1, {SwitchId(0)}});
  CHECK(side.switches == std::vector{SwitchId(0)});
  CHECK(side.others == 1);
}
