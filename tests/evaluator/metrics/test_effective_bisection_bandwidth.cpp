#include <tbb/global_control.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/patterns/bisection.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;

EffectiveBisectionBandwidth score(const RoutedFabric& routed, std::uint64_t patterns,
                                  std::uint64_t seed = 1) {
  return effective_bisection_bandwidth(RouteStore(routed.fabric, routed.tables),
                                       {.patterns = patterns, .seed = seed});
}

/// The exact mean over all bisections.
double exhaustive(const RoutedFabric& routed) {
  const auto endpoints = static_cast<std::uint32_t>(routed.fabric.endpoints().size());
  double sum = 0;
  const auto bisections = all_bisections(endpoints);
  for (const auto& flows : bisections) sum += naive_bandwidth(routed.fabric, routed.tables, flows);
  return sum / static_cast<double>(bisections.size());
}

}  // namespace

TEST_CASE("a single switch gives full bandwidth in every bisection") {
  for (const std::uint32_t hosts : {2U, 3U, 16U, 101U}) {
    const auto bandwidth = score(single_switch(hosts), 50);
    CHECK(bandwidth.patterns == 50);
    CHECK(bandwidth.mean == 1);
    CHECK(bandwidth.standard_error == 0);
    CHECK(bandwidth.min == 1);
    CHECK(bandwidth.max == 1);
    CHECK(bandwidth.lower_95 == 1);
    CHECK(bandwidth.upper_95 == 1);
  }
}

TEST_CASE("fewer than two endpoints have no bandwidth") {
  for (const std::uint32_t hosts : {0U, 1U}) {
    const auto bandwidth = score(single_switch(hosts), 50);
    CHECK(bandwidth.patterns == 0);
    CHECK(std::isnan(bandwidth.mean));
    CHECK(std::isnan(bandwidth.standard_error));
  }
}

TEST_CASE("a single bisection has a mean but no standard error") {
  const auto bandwidth = score(chain(4), 1);
  CHECK(bandwidth.patterns == 1);
  CHECK(bandwidth.mean == bandwidth.min);
  CHECK(bandwidth.mean == bandwidth.max);
  CHECK(std::isnan(bandwidth.standard_error));
}

TEST_CASE("two hosts on a chain of two switches have full bandwidth") {
  const auto bandwidth = score(chain(2), 10);
  CHECK(bandwidth.mean == 1);
}

TEST_CASE("four hosts on a chain have the bandwidth calculated by hand") {
  // Pairings by their host pairs: 01-23 never shares a channel (bandwidth 1). 02-13 shares the
  // middle channel if both pairs send in the same direction, in 2 of 4 cases: bandwidth 1/2,
  // otherwise 1; mean 3/4. 03-12 is the same. The mean over the three pairings is 5/6.
  const RoutedFabric routed = chain(4);
  CHECK(exhaustive(routed) == Approx(5.0 / 6));
  const auto bandwidth = score(routed, 20'000);
  CHECK(bandwidth.mean == Approx(5.0 / 6).margin(4 * bandwidth.standard_error));
}

TEST_CASE("the estimate agrees with the mean over all bisections") {
  int checked = 0;
  for (std::uint64_t seed = 0; checked < 12; ++seed) {
    const auto kind = seed % 2 == 0 ? RandomTables::shortest_paths : RandomTables::noise;
    const RoutedFabric routed = random_fabric(seed, kind, false);
    const std::size_t endpoints = routed.fabric.endpoints().size();
    if (endpoints % 2 != 0 || endpoints < 4 || endpoints > 8) continue;
    const auto bandwidth = score(routed, 20'000, seed);
    CAPTURE(seed, endpoints);
    CHECK(bandwidth.mean == Approx(exhaustive(routed)).margin(4 * bandwidth.standard_error + 1e-9));
    ++checked;
  }
}

TEST_CASE("each bisection has the bandwidth that the definition gives") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto [fabric, tables] = random_fabric(seed, RandomTables::noise, false);
    const auto endpoints = static_cast<std::uint32_t>(fabric.endpoints().size());
    if (endpoints < 2) continue;
    const auto bandwidths =
        bisection_bandwidths(RouteStore(fabric, tables), {.patterns = 10, .seed = seed});
    BisectionPattern pattern(endpoints);
    for (std::uint64_t i = 0; i < bandwidths.size(); ++i) {
      REQUIRE(bandwidths[i] ==
              Approx(naive_bandwidth(fabric, tables, pattern.draw(seed, i))).margin(1e-12));
    }
  }
}

TEST_CASE("the summary matches the bandwidths of the individual bisections") {
  const RoutedFabric routed = cluster_2008_figure_1();
  const RouteStore routes(routed.fabric, routed.tables);
  const BisectionOptions options{.patterns = 400, .seed = 9};
  const std::vector<double> all = bisection_bandwidths(routes, options);
  const auto bandwidth = effective_bisection_bandwidth(routes, options);
  const double mean = std::accumulate(all.begin(), all.end(), 0.0) / 400;
  // Variance as the mean of the squares minus the square of the mean.
  const double squares = std::inner_product(all.begin(), all.end(), all.begin(), 0.0) / 400;
  const double variance = (squares - mean * mean) * 400 / 399;
  CHECK(bandwidth.seed == 9);
  CHECK(bandwidth.mean == Approx(mean));
  CHECK(bandwidth.standard_error == Approx(std::sqrt(variance / 400)));
  CHECK(bandwidth.lower_95 == Approx(mean - 1.95996 * std::sqrt(variance / 400)));
  CHECK(bandwidth.upper_95 == Approx(mean + 1.95996 * std::sqrt(variance / 400)));
  CHECK(bandwidth.min == *std::min_element(all.begin(), all.end()));
  CHECK(bandwidth.max == *std::max_element(all.begin(), all.end()));
}

TEST_CASE("flows without a route have bandwidth zero") {
  RoutedFabric routed = single_switch(8);
  for (const Lid lid : routed.fabric.lids()) routed.tables.set(SwitchId(0), lid, no_port);
  CHECK(score(routed, 20).mean == 0);
  // One of eight hosts is unreachable. It receives in half of all bisections, one of four flows
  // each time.
  routed = single_switch(8);
  const Lid lid = routed.fabric.end_port(routed.fabric.endpoints()[3]).lid;
  routed.tables.set(SwitchId(0), lid, no_port);
  const auto bandwidth = score(routed, 20'000);
  CHECK(bandwidth.mean == Approx(1 - 0.5 / 4).margin(4 * bandwidth.standard_error));
  CHECK(bandwidth.min == 0.75);
}

TEST_CASE("effective bisection bandwidth does not depend on the number of threads") {
  const RoutedFabric routed = cluster_2008_figure_1();
  const RouteStore routes(routed.fabric, routed.tables);
  const BisectionOptions options{.patterns = 100'000, .seed = 3};
  std::vector<std::vector<double>> results;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    results.push_back(bisection_bandwidths(routes, options));
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("a longer run begins with the bisections of a shorter run with the same seed") {
  const RoutedFabric routed = cluster_2008_figure_1();
  const RouteStore routes(routed.fabric, routed.tables);
  const auto few = bisection_bandwidths(routes, {.patterns = 10, .seed = 3});
  const auto many = bisection_bandwidths(routes, {.patterns = 30, .seed = 3});
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(bisection_bandwidths(routes, {.patterns = 10, .seed = 4}) != few);
}

TEST_CASE("progress of the bisections grows and ends at the total") {
  const RoutedFabric routed = cluster_2008_figure_1();
  std::uint64_t last = 0;
  bool grows = true;
  effective_bisection_bandwidth(RouteStore(routed.fabric, routed.tables),
                                {.patterns = 100'000, .seed = 1},
                                [&](std::uint64_t done, std::uint64_t all) {
                                  grows = grows && done > last && all == 100'000;
                                  last = done;
                                });
  CHECK(grows);
  CHECK(last == 100'000);
}
