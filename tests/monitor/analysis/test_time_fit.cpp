#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "monitor/analysis/time_fit.h"

using namespace pssp;

TEST_CASE("the factors of different series are found, also with an unknown sweep") {
  TimeFit fit;
  fit.sweeps = 6;
  fit.activities = {9, 1, 9, 1, 1, 9, 1, 9, 1, 1, 9, 1};
  fit.prior = {.5, .5};
  for (std::size_t t = 0; t < 6; ++t) {
    fit.bytes.push_back(.2 * fit.activity(0)[t] + .7 * fit.activity(1)[t]);
  }
  const auto factors = fit_factors(fit);
  CHECK(factors[0] == Approx(.2).margin(.01));
  CHECK(factors[1] == Approx(.7).margin(.01));
  // A sweep without a reading is ignored.
  fit.bytes[2] = -1;
  CHECK(fit_factors(fit)[0] == Approx(.2).margin(.02));
}

TEST_CASE("series that are alike keep the proportion of the prior") {
  TimeFit fit;
  fit.sweeps = 4;
  fit.activities = {1, 2, 3, 4, 1, 2, 3, 4};
  fit.prior = {3, 1};
  fit.bytes = {1, 2, 3, 4};
  const auto factors = fit_factors(fit);
  CHECK(factors[0] == Approx(.75));
  CHECK(factors[1] == Approx(.25));
  fit.bytes = {0, 0, 0, 0};
  CHECK(fit_factors(fit)[0] == 0);
}

TEST_CASE("a bootstrap draws as many sweeps as there are") {
  for (const std::size_t sweeps : {1, 2, 7, 30}) {
    RandomGenerator random(1, sweeps);
    const auto drawn = draw_sweeps(sweeps, random);
    CHECK(std::accumulate(drawn.begin(), drawn.end(), 0.0) == static_cast<double>(sweeps));
  }
}

TEST_CASE("correlation and variation follow their definitions, and are 0 for constant series") {
  const std::vector<double> up{1, 2, 3};
  const std::vector<double> down{6, 4, 2};
  const std::vector<double> flat{2, 2, 2};
  CHECK(correlation(up, up) == Approx(1));
  CHECK(correlation(up, down) == Approx(-1));
  CHECK(correlation(up, flat) == 0);
  CHECK(variation(flat) == 0);
  CHECK(variation(up) == Approx(.408248));
  CHECK(variation({}) == 0);
}
