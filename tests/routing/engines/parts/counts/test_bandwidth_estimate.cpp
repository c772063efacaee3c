#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/engines/parts/counts/table_score.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ForwardingTables route(const Fabric& fabric, const char* engine, std::string_view options = "") {
  return make_engine(engine, EngineOptions::parse(options))->route(fabric).tables;
}

/// The definition, sampled at random: mean over the flows of 1 / (largest congestion on the path).
double simulated(const Fabric& fabric, const ForwardingTables& tables) {
  constexpr int bisections = 300;
  std::mt19937_64 random(1);
  std::vector<EndPortId> ends(fabric.endpoints().begin(), fabric.endpoints().end());
  const auto path = [&](std::size_t from, std::size_t to) {
    return *test::walk(fabric, tables, fabric.end_port(ends[from]).attached,
                       fabric.end_port(ends[to]).lid);
  };
  double sum = 0;
  const std::size_t half = ends.size() / 2;
  for (int run = 0; run < bisections; ++run) {
    std::shuffle(ends.begin(), ends.end(), random);
    std::vector<double> load(fabric.channel_count(), 0);
    for (std::size_t i = 0; i < half; ++i) {
      for (const std::uint32_t c : path(i, half + i)) load[c] += fabric.channel_cost()[c];
    }
    for (std::size_t i = 0; i < half; ++i) {
      double congestion = 1;
      for (const std::uint32_t c : path(i, half + i)) {
        congestion = std::max(congestion, load[c]);
      }
      sum += 1 / congestion;
    }
  }
  return sum / (bisections * static_cast<double>(half));
}

}  // namespace

TEST_CASE("the bandwidth estimate is close to the simulation and ranks tables alike",
          "[estimate]") {
  for (const char* spec : {"k-ary-n-tree 4 2", "chic --kill-links 20", "mesh 4x4x4 --hosts 2",
                           "torus 6x6x4", "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    std::vector<std::pair<double, double>> pairs;  // simulated, estimated
    for (const ForwardingTables& tables :
         {route(fabric, "pssp"), route(fabric, "cassp", "noisy_passes=0"),
          test::random_tree_tables(fabric, 1)}) {
      pairs.emplace_back(simulated(fabric, tables), estimate_bandwidth(fabric, tables).mean);
      CHECK(std::abs(pairs.back().second / pairs.back().first - 1) < 0.06);
    }
    for (const auto& a : pairs) {
      for (const auto& b : pairs) {
        if (a.first > 1.02 * b.first) CHECK(a.second > b.second);
      }
    }
  }
}

TEST_CASE("the bandwidth estimate is 1 where flows cannot share a channel", "[estimate]") {
  for (const char* spec : {"mesh 1 --hosts 3", "full-mesh 6", "mesh 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const BandwidthEstimate estimate = estimate_bandwidth(fabric, route(fabric, "pssp"));
    CHECK(estimate.mean == Approx(1));
    CHECK(estimate.worst_host == Approx(1));
  }
}

TEST_CASE("the worst host is behind the narrow link", "[estimate]") {
  // Six hosts are at one switch, the seventh and eighth at another switch behind one link.
  FabricBuilder builder;
  const NodeId middle = builder.add_switch(1, 12, "", "");
  const NodeId corner = builder.add_switch(2, 12, "", "");
  builder.connect(middle, 11, corner, 11, {});
  for (unsigned h = 0; h < 8; ++h) {
    const NodeId host = builder.add_adapter(0x100 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(h < 6 ? middle : corner, static_cast<PortNumber>(1 + h), host, 1, {});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  const BandwidthEstimate estimate = estimate_bandwidth(fabric, route(fabric, "pssp"));
  CHECK(estimate.worst_host < 0.95 * estimate.mean);
  CHECK(estimate.worst_host > 0.5);
}

TEST_CASE("unreachable hosts have bandwidth 0, and so does an empty fabric", "[estimate]") {
  const Fabric fabric = make_fabric("mesh 2x2 --hosts 1");
  const ForwardingTables none(fabric.switch_count(), fabric.max_lid());
  CHECK(estimate_bandwidth(fabric, none).mean == 0);
  CHECK(estimate_bandwidth(fabric, none).worst_host == 0);
  ForwardingTables one_lost = route(fabric, "pssp");
  const EndPort& lost = fabric.end_port(EndPortId(0));
  one_lost.set(lost.attached, lost.lid, no_port);
  CHECK(estimate_bandwidth(fabric, one_lost).worst_host == 0);
  CHECK(estimate_bandwidth(fabric, one_lost).mean > 0.5);
  CHECK(estimate_bandwidth(fabric, test::noise_tables(fabric, 3)).mean < 1);
  const Fabric empty = FabricBuilder().build();
  CHECK(estimate_bandwidth(empty, ForwardingTables()).mean == 0);
}

TEST_CASE("a slow link lowers the bandwidth estimate and a fast link raises it", "[estimate]") {
  const auto estimate = [](std::uint32_t rate) {
    FabricBuilder builder;
    const NodeId a = builder.add_switch(1, 12, "", "");
    const NodeId b = builder.add_switch(2, 12, "", "");
    builder.connect(a, 11, b, 11, {4, rate});
    for (unsigned h = 0; h < 8; ++h) {
      const NodeId host =
          builder.add_adapter(0x100 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
      builder.connect(h % 2 == 0 ? a : b, static_cast<PortNumber>(1 + h), host, 1, {4, 10000});
    }
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    return estimate_bandwidth(fabric, route(fabric, "pssp")).mean;
  };
  CHECK(estimate(5000) < 0.9 * estimate(10000));
  CHECK(estimate(20000) > 1.05 * estimate(10000));
}

TEST_CASE("score_without_simulation follows the objective", "[estimate]") {
  const Fabric fabric = make_fabric("chic --kill-links 20");
  const ForwardingTables tables = route(fabric, "pssp");
  const double index = edge_forwarding_index(fabric, channel_loads(fabric, tables));
  const auto score = [&](Objective objective) {
    return score_without_simulation(objective)(fabric, tables);
  };
  CHECK(score(Objective::bandwidth) == estimate_bandwidth(fabric, tables).mean);
  CHECK(score(Objective::worst_host) == estimate_bandwidth(fabric, tables).worst_host);
  CHECK(score(Objective::index) == Approx(1 / index));
  // The link of each host carries the routes of 527 other hosts.
  CHECK(score(Objective::all_to_all) == Approx(527 / index));
  const Fabric wide = make_fabric("full-mesh 6");
  CHECK(score_without_simulation(Objective::all_to_all)(wide, route(wide, "pssp")) == 1);
}
