#include <catch2/catch.hpp>
#include <random>

#include "base/disjoint_sets.h"

using namespace pssp;

TEST_CASE("disjoint sets agree with labels that are rewritten at each union") {
  std::mt19937 draw(5);
  for (const std::uint32_t size : {1U, 2U, 7U, 60U}) {
    DisjointSets sets(size);
    std::vector<std::uint32_t> label(size);  // smallest member of the set
    std::iota(label.begin(), label.end(), 0U);
    for (std::uint32_t step = 0; step < size; ++step) {
      const auto a = static_cast<std::uint32_t>(draw() % size);
      const auto b = static_cast<std::uint32_t>(draw() % size);
      const std::uint32_t low = std::min(label[a], label[b]), high = std::max(label[a], label[b]);
      CHECK(sets.unite(a, b) == (low != high));
      std::replace(label.begin(), label.end(), high, low);
      for (std::uint32_t i = 0; i < size; ++i) {
        REQUIRE(sets.root(i) == label[i]);
        REQUIRE(sets.together(i, a) == (label[i] == label[a]));
      }
    }
    const auto [number, count] = sets.numbered();
    std::vector<std::uint32_t> smallest;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (label[i] == i) smallest.push_back(i);
    }
    REQUIRE(count == smallest.size());
    for (std::uint32_t i = 0; i < size; ++i) CHECK(smallest.at(number[i]) == label[i]);
  }
}
