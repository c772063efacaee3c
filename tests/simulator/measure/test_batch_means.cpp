#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "simulator/measure/batch_means.h"

using namespace pssp;

TEST_CASE("the mean, standard error and interval match known values") {
  const std::vector<double> values{1, 2, 3, 4};
  const MeanEstimate estimate = mean_of(values);
  CHECK(estimate.mean == Approx(2.5));
  CHECK(estimate.standard_error == Approx(0.6454972));
  CHECK(estimate.upper_95 == Approx(2.5 + 3.182 * 0.6454972));
  CHECK(mean_of({}).mean == 0);
  CHECK(mean_of(std::vector<double>{7}).lower_95 == 7);
  CHECK(student_975(31) == Approx(2.0395).epsilon(0.002));
  CHECK(student_975(40) == Approx(2.0211).epsilon(0.001));
  CHECK(student_975(120) == Approx(1.9799).epsilon(0.001));
  CHECK(student_975(1000) == Approx(1.962).epsilon(0.001));
}

TEST_CASE("the interval of batch means contains the true mean in about 95 % of the samples") {
  unsigned held = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomGenerator random = random_stream(seed, 2, 0);
    std::vector<double> samples(400);
    double state = 0;
    for (double& each : samples) each = state = 0.5 * state + unit_interval(random()) - 0.5;
    const MeanEstimate estimate = mean_of_batches(samples);
    if (estimate.lower_95 <= 0 && 0 <= estimate.upper_95) ++held;
  }
  CHECK(held >= 368);  // 92 %
  CHECK(held <= 396);  // 99 %
}
