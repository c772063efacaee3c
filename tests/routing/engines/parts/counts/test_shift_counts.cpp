#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "fabric/tables/destination_tree.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/shift_counts.h"
#include "routing/structured_suite/host_order.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("ShiftCounts agrees with a count route by route") {
  const Fabric fabric = make_fabric("k-ary-n-tree 3 2 --kill-links 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
  const auto n = static_cast<std::uint32_t>(hosts.size());
  const EndPortId left_out = hosts[4];
  ShiftCounts counts(fabric, hosts);
  DestinationTree tree(fabric);
  const auto change = [&](EndPortId e, int sign) {
    tree.read(tables, fabric.end_port(e).lid);
    const auto order = tree.upstream_first();
    counts.change(
        {order.first(order.size() - 1), tree.out_channel(), tree.endpoints(), order.back()}, e,
        sign);
  };
  for (const EndPortId e : hosts) change(e, 1);
  change(left_out, -1);

  bool equal = true;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      double expected = 0;
      double hot_spot_cost = 0;
      double hot_spots = 0;
      for (std::uint32_t a = 0; a < n; ++a) {
        if (fabric.end_port(hosts[a]).attached != SwitchId(s)) continue;
        const std::uint32_t k = (4 + n - a) % n;
        double at_once = 0;
        for (std::uint32_t from = 0; from < n; ++from) {
          const EndPortId to = hosts[(from + k) % n];
          if (to == left_out) continue;
          const auto path = test::walk(fabric, tables, fabric.end_port(hosts[from]).attached,
                                       fabric.end_port(to).lid);
          for (const std::uint32_t on : *path) at_once += on == c ? 1 : 0;
        }
        expected += at_once;
        hot_spot_cost += at_once * at_once * at_once * at_once;
        hot_spots += (std::pow(at_once + 1, 3) - std::pow(at_once, 3)) / 6;
      }
      std::vector<ShiftCounts::Positions> positions;
      counts.find_positions(std::vector{s}, left_out, positions);
      equal &= counts.met(c, positions) == expected;
      equal &= counts.hot_spot_cost(c, positions) == hot_spot_cost;
      equal &= counts.hot_spot_increase(c, positions) == Approx(hot_spots);
    }
  }
  CHECK(equal);
}

TEST_CASE("hot spots are counted up to 255 routes") {
  const Fabric fabric = make_fabric("mesh 2 --hosts 23");
  ShiftCounts counts(fabric, order_hosts(fabric, HostOrderRule::name).hosts);
  double others = 0;
  const auto growth = [](double routes) { return (3 * routes * (routes + 1) + 1) / 6; };
  for (std::uint32_t length = 1; length <= 23; ++length) {
    const std::vector<ShiftCounts::Positions> positions{{length % 5, length}};
    // The routes themselves, and further routes at the first of their positions.
    const std::vector<ShiftCounts::Positions> first{{length % 5, 1}};
    counts.change(0, positions, 1);
    for (int i = 0; i < 9 * static_cast<int>(length); ++i) counts.change(0, first, 1);
    others = 9.0 * length;
    CHECK(counts.hot_spot_increase(0, positions, true) ==
          Approx(growth(others) + (length - 1) * growth(0)));
    for (int i = 0; i < 100; ++i) counts.change(0, first, 1);
    others = std::min(255.0, others + 100);
    CHECK(counts.hot_spot_increase(0, positions, true) ==
          Approx(growth(others) + (length - 1) * growth(0)));
    CHECK(counts.hot_spot_increase(0, positions) ==
          Approx(growth(std::min(255.0, others + 1)) + (length - 1) * growth(1)));
    for (int i = 0; i < 9 * static_cast<int>(length) + 100; ++i) counts.change(0, first, -1);
    counts.change(0, positions, -1);
  }
  CHECK(counts.hot_spots() == 0);
}

TEST_CASE("counts for a full LID space are too large") {
  const Fabric fabric = make_fabric("chic");
  CHECK(ShiftCounts::is_affordable(fabric, 528));
  CHECK_FALSE(ShiftCounts::is_affordable(fabric, 65536));
}
