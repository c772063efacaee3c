#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"
#include "evaluator/metrics/congestion_histogram.h"
#include "evaluator/metrics/histogram.h"

using namespace pssp;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint64_t total(const std::vector<HistogramBin>& bins) {
  std::uint64_t sum = 0;
  for (const HistogramBin& bin : bins) sum += bin.count;
  return sum;
}

}  // namespace

TEST_CASE("14, 44 and 6 connections give bandwidth 0.593750, as in listing 3 of the ORCS report") {
  const FlowBandwidth result = flow_bandwidth({{1, 14}, {2, 44}, {3, 6}});
  CHECK(result.flows == 64);
  CHECK(result.unrouted == 0);
  CHECK(result.bandwidth == 0.59375);
}

TEST_CASE("unrouted flows count with bandwidth 0") {
  const FlowBandwidth result = flow_bandwidth({{1, 1}, {2, 2}, {infinity, 1}});
  CHECK(result.flows == 4);
  CHECK(result.unrouted == 1);
  CHECK(result.bandwidth == 0.5);
  CHECK(flow_bandwidth({{infinity, 3}}).bandwidth == 0);
  CHECK(std::isnan(flow_bandwidth({}).bandwidth));
}

TEST_CASE("the bandwidth histogram has the bins of ORCS") {
  // The bin edges that gsl_histogram_set_ranges_uniform(h, 0, 1.000000000000001) computes for 20
  // bins.
  std::vector<double> edge;
  for (int i = 0; i <= 20; ++i) edge.push_back(i / 20.0 * 1.000000000000001);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> draw(0, 1);
  std::vector<double> values{0, 0.05, 0.1, 0.15, 0.5, 0.95, 1};
  for (int i = 0; i < 1000; ++i) values.push_back(draw(random));
  for (int i = 1; i < 60; ++i) values.push_back(i / 60.0);
  const std::vector<HistogramBin> bins = bandwidth_histogram(values);
  REQUIRE(bins.size() == 20);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(bins[i].from == edge[i]);
    CHECK(bins[i].to == edge[i + 1]);
    const auto inside = std::count_if(values.begin(), values.end(),
                                      [&](double v) { return edge[i] <= v && v < edge[i + 1]; });
    CHECK(bins[i].count == static_cast<std::uint64_t>(inside));
  }
  CHECK(total(bins) == values.size());
}

TEST_CASE("bandwidth bins of any width cover all bandwidths") {
  const std::vector<double> values{0, 0.3, 0.999999, 1};
  for (const double width : {1.0, 0.5, 0.3, 0.07, 0.01, 0.001, 1.0 / 3}) {
    const std::vector<HistogramBin> bins = bandwidth_histogram(values, width);
    INFO(width);
    CHECK(total(bins) == 4);
    CHECK(bins.size() == static_cast<std::size_t>(std::ceil(1 / width - 1e-6)));
    CHECK(bins.back().count >= 1);
  }
}

TEST_CASE("bandwidths above 1 get additional bins") {
  const std::vector<HistogramBin> bins = bandwidth_histogram(std::vector<double>{0.5, 1, 2, 2.01});
  REQUIRE(bins.size() == 41);
  CHECK(bins.back().count == 1);
  CHECK(total(bins) == 4);
}

TEST_CASE("the bandwidth histogram refuses invalid bin widths") {
  for (const double width :
       {0.0, -0.05, 1.5, 1e-9, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(bandwidth_histogram({}, width), Error);
  }
}

TEST_CASE("a condensed histogram has a bin for each value if there are few values") {
  const std::vector<double> values{3, 1, 3, 2, 3};
  const auto bins = condensed(count_values(values), 3);
  CHECK(bins == std::vector<HistogramBin>{{1, 1, 1}, {2, 2, 1}, {3, 3, 3}});
  CHECK(condensed({}, 3).empty());
}

TEST_CASE("a condensed histogram merges many values into ranges and keeps infinity separate") {
  std::map<double, std::uint64_t> counts;
  for (int i = 0; i < 100; ++i) counts[i] = 2;
  counts[1000] = 1;
  counts[infinity] = 5;
  const auto bins = condensed(counts, 10);
  CHECK(bins == std::vector<HistogramBin>{{0, 99, 200}, {1000, 1000, 1}, {infinity, infinity, 5}});
  counts.erase(1000);
  const auto finer = condensed(counts, 4);
  REQUIRE(finer.size() == 5);
  CHECK(finer[0] == HistogramBin{0, 24, 50});
  CHECK(finer[3].to == 99);
  CHECK(total(finer) == 205);
}
