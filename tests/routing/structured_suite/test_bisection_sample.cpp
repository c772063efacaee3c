#include <catch2/catch.hpp>

#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/structured_suite/bisection_sample.h"
#include "routing/structured_suite/host_order.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

double sampled(const Fabric& fabric, const ForwardingTables& tables, LidUse use) {
  return BisectionSample(fabric, order_hosts(fabric, HostOrderRule::name).hosts, use)
      .bandwidth(tables);
}

}  // namespace

TEST_CASE("the bisection sample agrees with the estimate for base LIDs", "[bisection_sample]") {
  for (const char* spec : {"k-ary-n-tree 4 3", "torus 4x4x3 --hosts 2", "xgft 8,8 1,4"}) {
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    INFO(spec);
    CHECK(sampled(fabric, tables, {}) ==
          Approx(estimate_bandwidth(fabric, tables).mean).epsilon(0.06));
    CHECK(sampled(fabric, tables, {}) == sampled(fabric, tables, {}));
  }
}

// Two switches with two hosts each, two LIDs per host, and two cables between the switches. No flow
// loses bandwidth if the LIDs of each host use both cables.
TEST_CASE("a flow over several LIDs loads each path with a fraction of the flow",
          "[bisection_sample]") {
  const Fabric fabric = make_fabric("mesh 2 --hosts 2 --parallel 2 --lmc 1");
  ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  CHECK(sampled(fabric, tables, {.lids = 2}) == Approx(1));
  // All LIDs use the first cable, so two flows in the same direction share it.
  for (std::uint32_t s = 0; s < 2; ++s) {
    const PortNumber first = fabric.channel_out_port()[fabric.first_channel()[s]];
    for (const Lid lid : fabric.lids()) {
      if (fabric.delivery(lid).at != SwitchId(s)) tables.set(SwitchId(s), lid, first);
    }
  }
  const double slowest = sampled(fabric, tables, {.lids = 2});
  CHECK(slowest < 0.95);
  CHECK(sampled(fabric, tables, {.lids = 1}) == Approx(slowest));
  CHECK(sampled(fabric, tables, {.lids = 2, .striping = Striping::free}) >= slowest - 1e-9);
}

TEST_CASE("the bandwidth of fewer than two hosts is 0", "[bisection_sample]") {
  const Fabric fabric = make_fabric("mesh 1 --hosts 1");
  CHECK(sampled(fabric, make_engine("pssp", {})->route(fabric).tables, {}) == 0);
}
