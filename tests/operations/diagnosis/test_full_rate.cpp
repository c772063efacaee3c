#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"
#include "operations/diagnosis/full_rate.h"

using namespace pssp;

namespace {

double normal(RandomGenerator& random) {
  const double radius = std::sqrt(-2 * std::log(1 - unit_interval(random())));
  return radius * std::cos(2 * std::numbers::pi * unit_interval(random()));
}

std::vector<RelativeRate> unshared(std::uint32_t count, double rate, double noise,
                                   RandomGenerator& random) {
  std::vector<RelativeRate> rates;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double each = rate * std::exp(noise * normal(random));
    rates.push_back({.of_path = each, .of_share = each, .is_shared = false});
  }
  return rates;
}

void append(std::vector<RelativeRate>& rates, const std::vector<RelativeRate>& more) {
  rates.insert(rates.end(), more.begin(), more.end());
}

}  // namespace

TEST_CASE("full speed is the fastest cluster of rates even if it contains few rates") {
  RandomGenerator random = random_stream(5, 1, 0);
  for (const double noise : {.002, .02, .05}) {
    for (const double slow : {.1, .25, .5, .56, .7}) {
      for (const std::uint32_t count : {20U, 200U, 2000U}) {
        for (const double part_fast : {.05, .2, .5, .9, 1.0}) {
          const auto fast = static_cast<std::uint32_t>(std::ceil(part_fast * count));
          std::vector<RelativeRate> rates = unshared(count - fast, 88.4 * slow, noise, random);
          append(rates, unshared(fast, 88.4, noise, random));
          const FullRate full = estimate_full_rate(rates);
          INFO(noise << " " << slow << " " << count << " " << part_fast);
          CHECK(full.basis == FullRateBasis::unshared);
          CHECK(full.rate == Approx(88.4).epsilon(fast < 10 ? 3 * noise : 1.2 * noise));
          CHECK(full.rates >= fast / 2);
        }
      }
    }
  }
}

TEST_CASE("noise alone creates no second cluster, however strong it is") {
  RandomGenerator random = random_stream(6, 1, 0);
  for (const double noise : {.05, .1, .2, .3}) {
    for (std::uint32_t trial = 0; trial < 20; ++trial) {
      const FullRate full = estimate_full_rate(unshared(1600, 100, noise, random));
      INFO(noise << " trial " << trial);
      CHECK(full.rate == Approx(100).epsilon(.6 * noise));
    }
  }
}

TEST_CASE("a few high rates among a thousand do not set full speed, one among ten does") {
  RandomGenerator random = random_stream(7, 1, 0);
  std::vector<RelativeRate> rates = unshared(1000, 100, .03, random);
  append(rates, unshared(3, 1000, .03, random));
  CHECK(estimate_full_rate(rates).rate == Approx(100).epsilon(.05));
  rates.resize(9);
  append(rates, unshared(1, 160, 0, random));
  CHECK(estimate_full_rate(rates).rate == Approx(160).epsilon(.001));
}

TEST_CASE("full speed is never below the fastest rates of flows that shared links") {
  // Six flows share no link, and most of them are slow. Eighteen flows share links and have the
  // same rates.
  std::vector<RelativeRate> rates;
  for (std::uint32_t i = 0; i < 24; ++i) {
    const bool is_shared = i >= 6;
    const double rate = i % 3 == 0 ? 12000 : 3000;
    rates.push_back({rate, is_shared ? 2 * rate : rate, is_shared});
  }
  const FullRate full = estimate_full_rate(rates);
  CHECK(full.rate == Approx(12000));
  CHECK(full.basis == FullRateBasis::unshared);
  for (RelativeRate& each : rates) {
    if (!each.is_shared) each.of_path = each.of_share = 3000;
  }
  CHECK(estimate_full_rate(rates).rate == Approx(12000));
  CHECK(estimate_full_rate(rates).basis == FullRateBasis::shared);
  // Without unshared flows, full speed follows from the fair shares.
  std::erase_if(rates, [](const RelativeRate& each) { return !each.is_shared; });
  CHECK(estimate_full_rate(rates).rate == Approx(24000));
  CHECK(estimate_full_rate({}).rate == 0);
}

TEST_CASE("slow rates do not count as noise") {
  RandomGenerator random = random_stream(8, 1, 0);
  for (const double part_slow : {0.0, .1, .3, .6}) {
    std::vector<double> values;
    for (std::uint32_t i = 0; i < 400; ++i) {
      values.push_back(.05 * normal(random) + (i < 400 * part_slow ? std::log(.5) : 0));
    }
    INFO(part_slow);
    CHECK(deviation_without_slow(values, 1) == Approx(.05).epsilon(.25));
  }
  std::vector<double> slow;
  for (std::uint32_t i = 0; i < 400; ++i) {
    slow.push_back(.05 * normal(random) + (i < 397 ? std::log(.5) : 0));
  }
  CHECK(deviation_without_slow(slow, 1) == Approx(.05).epsilon(.25));
  std::vector<double> noisy;
  for (std::uint32_t i = 0; i < 400; ++i) noisy.push_back(.4 * normal(random));
  CHECK(deviation_without_slow(noisy, 1) == Approx(.4).epsilon(.25));
  CHECK(deviation_of_rates(noisy, 1) == Approx(.4).epsilon(.25));
  CHECK(deviation_of_rates(slow, 1) > .5);
  CHECK(deviation_without_slow({}, .1) == .1);
}

TEST_CASE("rates of very different magnitudes are clustered") {
  const std::vector<double> rates{1e-18, 1, 1e18, 1e18};
  CHECK(fastest_cluster(rates, .1, .01).rate == Approx(1e18));
  CHECK(fastest_cluster(rates, .1, .01).count == 2);
  CHECK(fastest_cluster(std::vector<double>{3}, .1, .01).count == 1);
  CHECK(fastest_cluster({}, .1, .01).count == 0);
}
