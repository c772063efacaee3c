#include <catch2/catch.hpp>

#include "fabric/paths/allowed_channels.h"
#include "fabric/paths/distance_matrix.h"
#include "fabric/paths/up_down_distances.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/trees/up_down_search.h"
#include "routing/engines/updown.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* specs[] = {"k-ary-n-tree 3 3 --kill-links 4", "torus 3x4 --parallel 2",
                                 "random-regular 16 --degree 4 --hosts 3",
                                 "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands"};

}  // namespace

TEST_CASE("minimal paths agree with the distance matrix", "[allowed_channels]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const AllowedChannels paths(fabric);
    const DistanceMatrix distances(fabric);
    for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
      if (fabric.endpoints_per_switch()[root] == 0) continue;
      for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
        const auto hops = [&](std::uint32_t s) { return distances.to(SwitchId(root))[s]; };
        CHECK(paths.allow(SwitchId(root), c) ==
              (hops(fabric.channel_head()[c]) < hops(fabric.channel_tail()[c])));
      }
    }
    CHECK(paths.allow(fabric, make_engine("pssp", {})->route(fabric).tables));
  }
}

TEST_CASE("allowed up*/down* channels include those of updown, but not those of pssp on a torus",
          "[allowed_channels]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const UpDownRouting routing = route_up_down(fabric);
    const AllowedChannels paths(fabric, routing.order);
    CHECK(paths.allow(fabric, routing.tables));
    UpDownDistances distances(fabric, routing.order);
    for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
      if (fabric.endpoints_per_switch()[root] == 0) continue;
      distances.search(SwitchId(root));
      for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
        const bool is_reached =
            distances.distance()[fabric.channel_tail()[c]] != unreachable_distance;
        CHECK(paths.allow(SwitchId(root), c) ==
              (is_reached && distances.is_next_hop(fabric.channel_tail()[c], c)));
      }
    }
  }
  const Fabric torus = make_fabric("torus 5x5");
  const UpDownRouting legal = route_up_down(torus);
  const ForwardingTables any = make_engine("pssp", {})->route(torus).tables;
  CHECK_FALSE(AllowedChannels(torus, legal.order).allow(torus, any));
}

TEST_CASE("up*/down* routing adds no contention in trees, but does in tori and random graphs",
          "[up_down_search]") {
  const auto factor = [](const char* spec) {
    const Fabric fabric = make_fabric(spec);
    return sharing_factor(fabric, find_up_down_order(fabric, {.roots = 1, .max_probes = 0}));
  };
  for (const char* spec : {"k-ary-n-tree 4 3", "xgft 4,4,4 1,2,2", "chic --kill-links 20", "odin",
                           "deimos", "mesh 1 --hosts 3"}) {
    INFO(spec);
    CHECK(factor(spec) == Approx(1).margin(0.001));
  }
  for (const char* spec : {"torus 5x5", "random-regular 16 --degree 4 --hosts 3",
                           "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    INFO(spec);
    CHECK(factor(spec) > 1.2);
  }
}
