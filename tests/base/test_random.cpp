#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "base/random.h"

using pssp::RandomGenerator;

TEST_CASE("bounded random numbers are in range and evenly spread") {
  for (const std::uint32_t bound : {1U, 2U, 3U, 10U, 1000U}) {
    RandomGenerator random(1, bound);
    std::vector<int> seen(bound);
    const int draws = static_cast<int>(bound) * 1000;
    for (int i = 0; i < draws; ++i) {
      const std::uint32_t value = random.below(bound);
      REQUIRE(value < bound);
      ++seen[value];
    }
    double chi_square = 0;
    for (const int count : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
    // Chi-square has the mean bound - 1 and the standard deviation sqrt(2 (bound - 1)); the limit
    // is four deviations above the mean.
    CHECK(chi_square <= (bound - 1) + 4 * std::sqrt(2.0 * (bound - 1)));
  }
}

TEST_CASE("a bound that does not divide 2^32 causes no bias") {
  // With a bound of 3 * 2^30, plain scaling would draw every third value twice as often as the
  // others.
  constexpr std::uint32_t bound = 3U << 30;
  RandomGenerator random(5, 5);
  int third = 0;
  constexpr int draws = 90'000;
  for (int i = 0; i < draws; ++i) third += random.below(bound) % 3 == 0 ? 1 : 0;
  CHECK(third == Approx(draws / 3.0).margin(4 * std::sqrt(draws * 2.0 / 9.0)));
}

TEST_CASE("random streams differ by seed and by stream number") {
  std::set<std::uint64_t> first_values;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t stream = 0; stream < 100; ++stream) {
      first_values.insert(RandomGenerator(seed, stream)());
    }
  }
  CHECK(first_values.size() == 10'000);
}

TEST_CASE("random_stream has a different sequence for each seed, purpose and index") {
  std::set<std::uint64_t> first_values;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t purpose = 0; purpose < 20; ++purpose) {
      for (std::uint64_t index = 0; index < 20; ++index) {
        first_values.insert(pssp::random_stream(seed, purpose, index)());
      }
    }
  }
  CHECK(first_values.size() == 8'000);
  CHECK(pssp::random_stream(1, 2, 3)() == pssp::random_stream(1, 2, 3)());
}

TEST_CASE("SplitMix64 generates the published numbers") {
  // The first numbers for seed 1234567, on which many implementations agree.
  pssp::SplitMix64 random(1234567);
  CHECK(random() == 6457827717110365317U);
  CHECK(random() == 3203168211198807973U);
}

TEST_CASE("bounded numbers of MersenneRandom are remainders of the Mersenne Twister") {
  pssp::MersenneRandom random(42);
  std::mt19937_64 engine(42);
  for (const std::uint64_t bound : {1U, 2U, 7U, 1000U, 1U << 31U}) {
    for (int i = 0; i < 100; ++i) CHECK(random.below(bound) == engine() % bound);
  }
}

TEST_CASE("a shuffled list has the same elements, and every order occurs") {
  pssp::RandomGenerator random = pssp::random_stream(1, 1, 1);
  std::map<std::vector<int>, int> count;
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> list{1, 2, 3};
    pssp::shuffle(list, random);
    ++count[list];
  }
  CHECK(count.size() == 6);
  for (const auto& [order, times] : count) CHECK(std::abs(times - 1000) < 150);
}
