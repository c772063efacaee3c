#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/precision.h"
#include "evaluator/metrics/statistics.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;

/// The value of run i comes from its own generator, so runs do not depend on the batch sizes.
double normal_run(std::uint64_t run, double deviation) {
  std::mt19937_64 random(run * 7919 + 1);
  return std::normal_distribution<double>(0.5, deviation)(random);
}

struct Source {
  double deviation = 0.1;
  std::vector<std::uint64_t> batches;

  RunSource function() {
    return [this](std::uint64_t first, std::uint64_t count, const Progress& progress) {
      batches.push_back(count);
      std::vector<double> values;
      for (std::uint64_t run = first; run < first + count; ++run) {
        values.push_back(normal_run(run, deviation));
      }
      if (progress) progress(count, count);
      return values;
    };
  }
};

}  // namespace

TEST_CASE("runs stop soon after the confidence interval is narrow enough") {
  Source source;
  const PrecisionResult result = run_until_precise({.half_width = 0.001}, source.function());
  CHECK(result.reached);
  CHECK(result.half_width <= 0.001);
  // (1.96 * 0.1 / 0.001)^2 = 38416 runs.
  CHECK(result.values.size() > 36000);
  CHECK(result.values.size() < 42000);
  CHECK(source.batches.size() < 8);
  const SampleStatistics sample = describe_sample(result.values);
  CHECK(result.half_width == Approx(1.959964 * sample.standard_error));
  for (std::uint64_t run = 0; run < result.values.size(); run += 997) {
    CHECK(result.values[run] == normal_run(run, 0.1));
  }
}

TEST_CASE("run_until_precise respects the minimum and maximum number of runs") {
  Source quiet{0, {}};
  CHECK(run_until_precise({.half_width = 0.1, .least = 300}, quiet.function()).values.size() ==
        300);
  Source loud{10, {}};
  const PrecisionResult result =
      run_until_precise({.half_width = 1e-6, .least = 300, .most = 5000}, loud.function());
  CHECK(result.values.size() == 5000);
  CHECK_FALSE(result.reached);
  CHECK(result.half_width > 1e-6);
  Source tiny{10, {}};
  CHECK(run_until_precise({.half_width = 1e-6, .least = 300, .most = 7}, tiny.function())
            .values.size() == 7);
  Source one{10, {}};
  const PrecisionResult single =
      run_until_precise({.half_width = 1, .least = 1, .most = 1}, one.function());
  CHECK(std::isnan(single.half_width));
  CHECK_FALSE(single.reached);
}

TEST_CASE("run_until_precise stops at once if the source has no runs") {
  const PrecisionResult result = run_until_precise(
      {}, [](std::uint64_t, std::uint64_t, const Progress&) { return std::vector<double>{}; });
  CHECK(result.values.empty());
  CHECK_FALSE(result.reached);
}

TEST_CASE("progress never exceeds the estimated total and ends at the number of runs") {
  Source source;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> reported;
  const PrecisionResult result = run_until_precise(
      {.half_width = 0.002}, source.function(),
      [&](std::uint64_t done, std::uint64_t all) { reported.emplace_back(done, all); });
  REQUIRE_FALSE(reported.empty());
  for (const auto& [done, all] : reported) CHECK(done <= all);
  CHECK(reported.back().first == result.values.size());
  CHECK(reported.back().second == result.values.size());
}

TEST_CASE("the number of runs does not depend on progress reporting") {
  Source a;
  Source b;
  run_until_precise({.half_width = 0.003}, a.function());
  run_until_precise({.half_width = 0.003}, b.function(), [](std::uint64_t, std::uint64_t) {});
  CHECK(a.batches == b.batches);
}
