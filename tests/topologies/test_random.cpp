// Random numbers must be the same on every platform. The expected numbers come from an independent
// implementation of MT19937-64 and SplitMix64 in another language.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <vector>

#include "topologies/random.h"

using namespace pssp;

TEST_CASE("random sequences of a seed and a purpose are fixed") {
  Random random(1, RandomPurpose::graph);
  std::vector<std::uint64_t> drawn(5);
  for (std::uint64_t& number : drawn) number = random.below(1000000);
  CHECK(drawn == std::vector<std::uint64_t>{647341, 849487, 354611, 759765, 516583});
  Random links(42, RandomPurpose::dead_links);
  CHECK(links.permutation(8) == std::vector<std::uint32_t>{5, 7, 3, 0, 6, 4, 1, 2});
}

TEST_CASE("random numbers below a bound are uniform") {
  Random random(5, RandomPurpose::guids);
  for (const std::uint64_t bound : {1ULL, 2ULL, 3ULL, 7ULL, 10ULL}) {
    std::map<std::uint64_t, int> count;
    for (int i = 0; i < 10000; ++i) ++count[random.below(bound)];
    CHECK(count.size() == bound);
    for (const auto& [value, times] : count) {
      CHECK(value < bound);
      CHECK(std::abs(times - 10000 / static_cast<int>(bound)) < 300);
    }
  }
  // With this bound, almost half of all draws fall into the incomplete block and are rejected.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  for (int i = 0; i < 100; ++i) CHECK(random.below(bound) < bound);
}

TEST_CASE("random permutations contain each number once, and all permutations occur") {
  Random random(9, RandomPurpose::graph);
  std::map<std::vector<std::uint32_t>, int> count;
  for (int i = 0; i < 6000; ++i) ++count[random.permutation(3)];
  CHECK(count.size() == 6);
  for (const auto& [order, times] : count) CHECK(std::abs(times - 1000) < 150);
  std::vector<std::uint32_t> large = random.permutation(1000);
  std::sort(large.begin(), large.end());
  for (std::uint32_t i = 0; i < 1000; ++i) CHECK(large[i] == i);
  CHECK(random.permutation(0).empty());
}
