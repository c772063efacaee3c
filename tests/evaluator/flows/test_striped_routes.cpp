// Tests traffic that is striped over the LIDs of its destinations. Compares with values calculated
// by hand and with the counters for one LID.

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "evaluator/flows/link_loads.h"
#include "evaluator/flows/striped_routes.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "fabric/builder.h"
#include "routing/engines/engine.h"
#include "routing/structured_suite/structured_suite.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Two switches with two hosts each and two cables between them; two LIDs for each host. The first
/// LID uses the first cable, the second LID the second cable.
test::RoutedFabric two_cables(std::uint8_t lmc_of_last = 1) {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 8, "A", "");
  const NodeId b = builder.add_switch(2, 8, "B", "");
  builder.connect(a, 3, b, 3, {});
  builder.connect(a, 4, b, 4, {});
  builder.set_lid(a, 0, 1, 0);
  builder.set_lid(b, 0, 2, 0);
  for (unsigned i = 0; i < 4; ++i) {
    const NodeId host =
        builder.add_adapter(0x10 * (i + 1), 1, EndPortKind::channel_adapter, "H", "");
    builder.connect(host, 1, i < 2 ? a : b, static_cast<PortNumber>(i % 2 + 1), {});
    builder.set_lid(host, 1, 4 + 2 * i, i == 3 ? lmc_of_last : 1);
  }
  Fabric fabric = std::move(builder).build();
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    for (std::uint32_t s = 0; s < 2; ++s) {
      tables.set(SwitchId(s), lid,
                 delivery.at == SwitchId(s) ? delivery.port : static_cast<PortNumber>(3 + lid % 2));
    }
  }
  return {std::move(fabric), std::move(tables)};
}

std::vector<double> congestion_of(const StripedRoutes& routes, const std::vector<Flow>& flows) {
  StripedLoads loads(routes, HostLinks::counted);
  std::vector<double> result(flows.size());
  loads.collect(flows);
  loads.add();
  loads.congestion(result);
  return result;
}

}  // namespace

TEST_CASE("striping over two LIDs uses both cables") {
  const test::RoutedFabric routed = two_cables();
  const std::vector<Flow> both{{0, 2}, {1, 3}};
  for (const Striping striping : {Striping::slowest, Striping::free}) {
    const auto with = [&](unsigned lids) {
      return congestion_of(StripedRoutes(routed.fabric, routed.tables, {lids, striping}), both);
    };
    CHECK(with(1) == std::vector<double>{2, 2});
    CHECK(with(2) == std::vector<double>{1, 1});
  }
  CHECK(bisection_bandwidths(StripedRoutes(routed.fabric, routed.tables, {2}), {.patterns = 20}) ==
        std::vector<double>(20, 1.0));
}

TEST_CASE("striping over a host with fewer LIDs uses only these LIDs") {
  // The last host has one LID, on the first cable: load 1/2 + 1 there, 1/2 on the second cable.
  const test::RoutedFabric routed = two_cables(0);
  const std::vector<Flow> both{{0, 2}, {1, 3}};
  CHECK(congestion_of(StripedRoutes(routed.fabric, routed.tables, {2}), both) ==
        std::vector<double>{1.5, 1.5});
  const std::vector<double> free =
      congestion_of(StripedRoutes(routed.fabric, routed.tables, {2, Striping::free}), both);
  CHECK(free[0] == Approx(1 / ((1 / 1.5 + 1 / 1.0) / 2)));
  CHECK(free[1] == Approx(1.5));
}

TEST_CASE(
    "an unrouted part blocks the flow or loses only its own share, as the striping requires") {
  test::RoutedFabric routed = two_cables();
  const Fabric& fabric = routed.fabric;
  routed.tables.set(fabric.end_port(fabric.endpoints()[0]).attached,
                    static_cast<Lid>(fabric.end_port(fabric.endpoints()[2]).lid + 1), no_port);
  const std::vector<Flow> flow{{0, 2}};
  CHECK(std::isinf(congestion_of(StripedRoutes(fabric, routed.tables, {2}), flow)[0]));
  CHECK(congestion_of(StripedRoutes(fabric, routed.tables, {2, Striping::free}), flow)[0] == 2);
}

TEST_CASE("striping over one LID matches the plain counters, and free striping is never slower") {
  const Fabric fabric = make_fabric("random-regular 12 --degree 4 --hosts 3 --lmc 2 --seed 3");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const BisectionOptions options{.patterns = 30};
  const auto with = [&](unsigned lids, Striping striping) {
    return bisection_bandwidths(StripedRoutes(fabric, tables, {lids, striping}), options);
  };
  CHECK(with(1, Striping::slowest) == bisection_bandwidths(RouteStore(fabric, tables), options));
  for (const unsigned lids : {2U, 3U, 4U}) {
    const std::vector<double> slowest = with(lids, Striping::slowest);
    const std::vector<double> free = with(lids, Striping::free);
    for (std::size_t i = 0; i < slowest.size(); ++i) CHECK(free[i] >= slowest[i] * (1 - 1e-12));
  }
}

TEST_CASE("the structured traffic suite stripes its flows and stays above its lower bounds") {
  const test::RoutedFabric two = two_cables();
  const OrderedHosts order = order_hosts(two.fabric, HostOrderRule::name);
  const auto structured_suite = [&](LidUse use) {
    return StructuredSuite(two.fabric, order, false, StructuredSuite::Extent::all, use)
        .measure(two.tables);
  };
  CHECK(structured_suite({1}).find("leaf_pairs")->time == 2);
  CHECK(structured_suite({2}).find("leaf_pairs")->time == 1);
  for (const char* spec : {"mesh 3x3 --hosts 3 --lmc 2", "xgft 4,4 1,2 --lmc 1",
                           "random-regular 12 --degree 4 --hosts 3 --lmc 1"}) {
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    const OrderedHosts hosts = order_hosts(fabric, HostOrderRule::name);
    for (const LidUse use : {LidUse{2, Striping::slowest}, LidUse{2, Striping::free}}) {
      const SuiteTimes times =
          StructuredSuite(fabric, hosts, false, StructuredSuite::Extent::all, use).measure(tables);
      CHECK(times.unrouted == 0);
      for (const PatternTime& each : times.patterns) {
        INFO(spec << ' ' << each.name);
        CHECK(each.slowdown >= 1 - 1e-12);
      }
    }
  }
}

TEST_CASE("the units of a flow divide evenly among any number of LIDs in use") {
  for (unsigned lids = 1; lids <= 128; ++lids) {
    for (unsigned lmc = 0; lmc <= 7; ++lmc) {
      CHECK(units_of_a_flow(lids) % lids_in_use({lids}, lmc) == 0);
    }
  }
}

TEST_CASE("striped routes refuse more LIDs than fit in memory but always accept base LIDs") {
  const Fabric fabric = make_fabric("k-ary-n-tree 2 2 --lmc 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const std::size_t one = RouteStore(fabric, tables).bytes();
  CHECK(one > 0);
  CHECK(StripedRoutes(fabric, tables, {4}, 4 * one).stores().size() == 4);
  CHECK_THROWS_WITH(StripedRoutes(fabric, tables, {4}, 4 * one - 1),
                    Catch::Contains("4 LIDs of 4 hosts") && Catch::Contains("fewer LIDs"));
  CHECK(StripedRoutes(fabric, tables, {1}, 0).stores().size() == 1);
}
