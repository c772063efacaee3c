#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "evaluator/metrics/edge_forwarding_index.h"
#include "fabric/tables/channel_loads.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("the edge forwarding index of figure 1 of the Cluster 2008 paper is ideally balanced") {
  // An uplink carries the routes from 4 hosts to 3 others, one on each other leaf. A downlink
  // carries the routes from 12 hosts to one host.
  const auto [fabric, tables] = cluster_2008_figure_1();
  const auto report = edge_forwarding_index_report(fabric, channel_loads(fabric, tables), 100);
  CHECK(report.max == 12);
  CHECK(report.mean == 12);
  CHECK(report.deviation == 0);
  CHECK(report.busiest.size() == 32);
  for (const BusyChannel& busy : report.busiest) CHECK(busy.routes == 12);
}

TEST_CASE("a route counts twice on a link of half the rate") {
  const auto [fabric, tables] = cluster_2008_figure_1(true);
  const auto report = edge_forwarding_index_report(fabric, channel_loads(fabric, tables), 3);
  CHECK(report.max == 24);
  CHECK(report.mean == Approx((30 * 12 + 2 * 24) / 32.0));
  REQUIRE(report.busiest.size() == 3);
  CHECK(report.busiest[0].index == 24);
  CHECK(report.busiest[0].routes == 12);
  CHECK(report.busiest[1].index == 24);
  CHECK(report.busiest[2].index == 12);
  CHECK(report.busiest[0].channel < report.busiest[1].channel);
}

TEST_CASE("a chain has the largest edge forwarding index in the middle") {
  // Between hosts i and i + 1 of n: (i + 1) (n - i - 1) routes in each direction.
  const auto [fabric, tables] = chain(5);
  const auto report = edge_forwarding_index_report(fabric, channel_loads(fabric, tables), 4);
  CHECK(report.max == 6);
  CHECK(report.mean == 5);
  CHECK(report.deviation == 1);
  REQUIRE(report.busiest.size() == 4);
  CHECK(report.busiest[3].routes == 6);
}

TEST_CASE("the edge forwarding index is zero without channels") {
  const auto [fabric, tables] = single_switch(4);
  const auto report = edge_forwarding_index_report(fabric, channel_loads(fabric, tables), 10);
  CHECK(report.max == 0);
  CHECK(report.mean == 0);
  CHECK(report.busiest.empty());
}

TEST_CASE("the edge forwarding index matches its definition on random fabrics") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto kind = seed % 2 == 0 ? RandomTables::shortest_paths : RandomTables::noise;
    const auto [fabric, tables] = random_fabric(seed, kind, false);
    std::map<std::uint32_t, double> index;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) index[c] = 0;
    const auto endpoints = static_cast<std::uint32_t>(fabric.endpoints().size());
    for (std::uint32_t source = 0; source < endpoints; ++source) {
      for (std::uint32_t destination = 0; destination < endpoints; ++destination) {
        if (source == destination) continue;
        const auto route = naive_route(fabric, tables, source, destination);
        if (!route) continue;
        for (const std::uint32_t channel : *route) index[channel] += fabric.channel_cost()[channel];
      }
    }
    double sum = 0;
    double squares = 0;
    double max = 0;
    for (const auto& [channel, value] : index) {
      sum += value;
      squares += value * value;
      max = std::max(max, value);
    }
    const auto n = static_cast<double>(index.size());
    const auto report = edge_forwarding_index_report(fabric, channel_loads(fabric, tables), 1000);
    CAPTURE(seed);
    CHECK(report.max == Approx(max));
    if (index.empty()) continue;
    CHECK(report.mean == Approx(sum / n));
    CHECK(report.deviation ==
          Approx(std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)))).margin(1e-6));
    for (const BusyChannel& busy : report.busiest) {
      CHECK(busy.index == Approx(index[busy.channel.value()]));
    }
  }
}
