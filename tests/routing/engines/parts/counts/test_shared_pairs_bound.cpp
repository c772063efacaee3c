#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>

#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/shared_pairs_bound.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

double shared_pairs(const Fabric& fabric, std::string_view options) {
  const EngineOptions given = EngineOptions::parse(options);
  double pairs = 0;
  for (const std::uint64_t load :
       channel_loads(fabric, make_engine("pssp", given)->route(fabric).tables)) {
    pairs += static_cast<double>(load) * static_cast<double>(load);
  }
  return pairs;
}

}  // namespace

TEST_CASE("no tables of pssp have fewer shared pairs than the bound", "[pssp]") {
  for (const char* spec :
       {"xgft 4,4,4 1,2,2", "xgft 6,5,4 1,3,3 --kill-links 9", "k-ary-n-tree 3 3", "chic",
        "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands", "torus 3x4 --hosts 2",
        "random-regular 16 --degree 4 --hosts 3", "mesh 5x5 --hosts 2 --kill-links 6",
        "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands", "full-mesh 5 --hosts 2",
        "director 288 --hosts 40", "dragonfly --switches 3 --global-links 1 --hosts 1"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const auto bound = static_cast<double>(least_shared_pairs(fabric));
    for (const char* order : {"order=by_switch", "order=round_robin"}) {
      CHECK(bound <= shared_pairs(fabric, order));
    }
  }
}

TEST_CASE("the bound is exact on trees where all links of a rank can carry the same load",
          "[pssp]") {
  for (const char* spec : {"xgft 4,4,4 1,2,2", "xgft 6,6 1,3", "k-ary-n-tree 4 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(static_cast<double>(least_shared_pairs(fabric)) ==
          shared_pairs(fabric, "order=by_switch"));
  }
  // The 4 hosts of each leaf send to 12 others over 4 uplinks, and receive from them over 4
  // downlinks.
  CHECK(least_shared_pairs(make_fabric("k-ary-n-tree 4 2")) == 2 * 16 * 12 * 12);
}

TEST_CASE("the bound is 0 if link capacities differ or if there are no links", "[pssp]") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 4, "a", "");
  const NodeId b = builder.add_switch(2, 4, "b", "");
  const NodeId c = builder.add_switch(3, 4, "c", "");
  const NodeId left = builder.add_adapter(16, 1, EndPortKind::channel_adapter, "", "");
  const NodeId right = builder.add_adapter(18, 1, EndPortKind::channel_adapter, "", "");
  builder.connect(a, 1, b, 1, {4, 8000});
  builder.connect(b, 2, c, 1, {4, 16000});
  builder.connect(a, 3, left, 1, {4, 8000});
  builder.connect(c, 3, right, 1, {4, 8000});
  builder.assign_lids();
  CHECK(least_shared_pairs(std::move(builder).build()) == 0);
  CHECK(least_shared_pairs(make_fabric("mesh 1 --hosts 3")) == 0);
}
