#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "evaluator/metrics/statistics.h"

using namespace pssp;

TEST_CASE("sample statistics match values calculated by hand") {
  const std::vector<double> sample{2, 4, 4, 4, 5, 5, 7, 9};
  const SampleStatistics s = describe_sample(sample);
  CHECK(s.count == 8);
  CHECK(s.mean == 5);
  CHECK(s.variance == 4);  // the textbook example of a population variance
  CHECK(s.standard_error == Approx(std::sqrt(32.0 / 7 / 8)));
  CHECK(s.lower_95 == Approx(5 - 1.959964 * s.standard_error));
  CHECK(s.upper_95 == Approx(5 + 1.959964 * s.standard_error));
  CHECK(s.min == 2);
  CHECK(s.max == 9);
  CHECK(s.percentile(50) == 4.5);
  CHECK(s.percentile(25) == 4);
  CHECK(s.percentile(75) == 5.5);
  CHECK(s.percentile(1) == Approx(2.14));
  CHECK(s.percentile(99) == Approx(8.86));
}

TEST_CASE("percentiles do not depend on the order, and 0 and 100 are the minimum and the maximum") {
  std::vector<double> sample;
  for (int i = 0; i <= 100; ++i) sample.push_back((i * 37) % 101);
  const SampleStatistics s = describe_sample(sample);
  for (const int level : percentile_levels) CHECK(s.percentile(level) == Approx(level));
  const std::vector<double> sorted{1, 2, 10};
  CHECK(percentile(sorted, 0) == 1);
  CHECK(percentile(sorted, 100) == 10);
  CHECK(percentile(sorted, 75) == 6);
}

TEST_CASE("an empty sample has no statistics, and a single value has no standard error") {
  const SampleStatistics none = describe_sample({});
  CHECK(none.count == 0);
  CHECK(std::isnan(none.mean));
  CHECK(std::isnan(none.max));
  CHECK(std::isnan(none.percentile(50)));
  const SampleStatistics one = describe_sample(std::vector<double>{0.25});
  CHECK(one.mean == 0.25);
  CHECK(one.variance == 0);
  CHECK(one.percentile(99) == 0.25);
  CHECK(std::isnan(one.standard_error));
  CHECK(std::isnan(one.lower_95));
}

TEST_CASE("equal values have exactly zero standard error") {
  const SampleStatistics s = describe_sample(std::vector<double>(1000, 0.5));
  CHECK(s.mean == 0.5);
  CHECK(s.standard_error == 0);
  for (const double p : s.percentiles) CHECK(p == 0.5);
}

TEST_CASE("about 95 % of the confidence intervals contain the true mean") {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> draw(2);  // mean 0.5
  int hits = 0;
  constexpr int trials = 2000;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> sample(200);
    for (double& value : sample) value = draw(random);
    const SampleStatistics s = describe_sample(sample);
    if (s.lower_95 <= 0.5 && 0.5 <= s.upper_95) ++hits;
  }
  CHECK(hits > 0.93 * trials);
  CHECK(hits < 0.965 * trials);
}
