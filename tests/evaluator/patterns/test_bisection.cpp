#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "evaluator/patterns/bisection.h"
#include "tests/evaluator/naive_evaluator.h"

namespace {

using namespace pssp;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The flows of a bisection in sorted order, for comparisons that ignore the order of flows.
Pairs sorted(std::span<const Flow> flows) {
  Pairs pairs;
  for (const Flow& flow : flows) pairs.emplace_back(flow.source, flow.destination);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double chi_square(const std::map<Pairs, int>& seen, std::size_t kinds, int draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(kinds);
  double sum = static_cast<double>(kinds - seen.size()) * expected;
  for (const auto& [pairs, count] : seen) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("a bisection uses each endpoint once and omits one endpoint of an odd number") {
  for (const std::uint32_t endpoints : {0U, 1U, 2U, 3U, 16U, 17U, 128U, 129U, 1000U}) {
    BisectionPattern pattern(endpoints);
    CHECK(pattern.draw(7, 0).size() == endpoints / 2);
    for (std::uint64_t index = 0; index < 50; ++index) {
      std::set<std::uint32_t> used;
      for (const Flow& flow : pattern.draw(7, index)) {
        REQUIRE(flow.source < endpoints);
        REQUIRE(flow.destination < endpoints);
        used.insert(flow.source);
        used.insert(flow.destination);
      }
      REQUIRE(used.size() == endpoints - endpoints % 2);
    }
  }
}

TEST_CASE("all bisections are equally likely") {
  // 4 endpoints: 6 splits, 2 pairings. 6 endpoints: 20 splits, 6 pairings.
  for (const auto& [endpoints, kinds] : {std::pair{4U, 12U}, std::pair{6U, 120U}}) {
    std::set<Pairs> possible;
    for (const auto& flows : test::all_bisections(endpoints)) possible.insert(sorted(flows));
    REQUIRE(possible.size() == kinds);
    const int draws = static_cast<int>(kinds) * 500;
    std::map<Pairs, int> seen;
    BisectionPattern pattern(endpoints);
    for (int i = 0; i < draws; ++i) ++seen[sorted(pattern.draw(1, static_cast<std::uint64_t>(i)))];
    for (const auto& [pairs, count] : seen) REQUIRE(possible.count(pairs) == 1);
    // 99.9 % quantiles of chi-square: 31.3 for 11 degrees of freedom, 172.4 for 119.
    CHECK(chi_square(seen, kinds, draws) < (kinds == 12 ? 31.3 : 172.4));
  }
}

TEST_CASE("with an odd number of endpoints, all bisections of all subsets are equally likely") {
  constexpr int draws = 60 * 500;
  std::map<Pairs, int> seen;
  BisectionPattern pattern(5);
  for (int i = 0; i < draws; ++i) ++seen[sorted(pattern.draw(1, static_cast<std::uint64_t>(i)))];
  CHECK(seen.size() == 60);
  CHECK(chi_square(seen, 60, draws) < 98.3);  // 99.9 % quantile, 59 degrees of freedom
}

TEST_CASE("a bisection depends only on its seed and index") {
  BisectionPattern one(100);
  BisectionPattern other(100);
  (void)other.draw(3, 999);
  const Pairs expected = sorted(one.draw(3, 17));
  CHECK(sorted(other.draw(3, 17)) == expected);
  CHECK(sorted(other.draw(3, 18)) != expected);
  CHECK(sorted(other.draw(4, 17)) != expected);
}
