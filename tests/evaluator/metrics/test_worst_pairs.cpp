#include <tbb/global_control.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "evaluator/metrics/worst_pairs.h"
#include "evaluator/report/worst_pairs_report.h"
#include "fabric/tables/channel_loads.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;

/// Traces every pair separately and sorts the pairs as the definition requires.
std::vector<WorstPair> naive_worst(const RoutedFabric& routed) {
  const Fabric& fabric = routed.fabric;
  const std::vector<std::uint64_t> loads = channel_loads(fabric, routed.tables);
  std::vector<WorstPair> pairs;
  for (std::uint32_t s = 0; s < fabric.endpoints().size(); ++s) {
    for (std::uint32_t d = 0; d < fabric.endpoints().size(); ++d) {
      const auto route = naive_route(fabric, routed.tables, s, d);
      if (s == d || !route || route->empty()) continue;
      WorstPair pair{{s, d}, 0, 0};
      for (const std::uint32_t c : *route) {
        const double index = static_cast<double>(loads[c]) * fabric.channel_cost()[c];
        pair.largest_index = std::max(pair.largest_index, index);
        pair.index_sum += index;
      }
      pairs.push_back(pair);
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const WorstPair& a, const WorstPair& b) {
    return std::tuple(-a.largest_index, -a.index_sum, a.pair.source, a.pair.destination) <
           std::tuple(-b.largest_index, -b.index_sum, b.pair.source, b.pair.destination);
  });
  return pairs;
}

void check_against_naive(const RoutedFabric& routed, std::size_t top) {
  const std::vector<std::uint64_t> loads = channel_loads(routed.fabric, routed.tables);
  const WorstPairs found = worst_pairs(routed.fabric, routed.tables, loads, top);
  const std::vector<WorstPair> expected = naive_worst(routed);
  REQUIRE(found.pairs.size() == std::min(top, expected.size()));
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    CAPTURE(i);
    CHECK(found.pairs[i].pair == expected[i].pair);
    CHECK(found.pairs[i].largest_index == expected[i].largest_index);
    CHECK(found.pairs[i].index_sum == expected[i].index_sum);
  }
  const auto as_bad = std::count_if(expected.begin(), expected.end(), [&](const WorstPair& pair) {
    return pair.largest_index == expected.front().largest_index;
  });
  CHECK(found.as_bad_as_the_first == static_cast<std::uint64_t>(as_bad));
}

}  // namespace

TEST_CASE("the worst pairs match a trace of every pair") {
  // Rates are 16 and 8 Gbit/s, so indices are integers and sums are exact in any order.
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    const auto kind = seed % 2 == 0 ? RandomTables::shortest_paths : RandomTables::noise;
    const RoutedFabric routed = random_fabric(seed, kind, false);
    for (const std::size_t top : {0U, 1U, 2U, 7U, 40U, 100000U}) check_against_naive(routed, top);
  }
  check_against_naive(cluster_2008_figure_1(true), 30);
  check_against_naive(chain(7), 10);
  check_against_naive(single_switch(5), 10);
}

TEST_CASE("the worst pairs of a chain cross its middle and have the longest routes") {
  const RoutedFabric routed = chain(6);
  const auto loads = channel_loads(routed.fabric, routed.tables);
  const WorstPairs worst = worst_pairs(routed.fabric, routed.tables, loads, 3);
  // 3 * 3 routes cross the middle in each direction. The route from end to end has index sum 5 + 8
  // + 9 + 8 + 5.
  CHECK(worst.as_bad_as_the_first == 18);
  REQUIRE(worst.pairs.size() == 3);
  CHECK(worst.pairs[0].pair == Flow{0, 5});
  CHECK(worst.pairs[0].largest_index == 9);
  CHECK(worst.pairs[0].index_sum == 35);
  CHECK(worst.pairs[1].pair == Flow{5, 0});
  CHECK(worst.pairs[2].index_sum == 30);
  const std::string text = to_text(routed.fabric, routed.tables, worst, loads);
  CHECK_THAT(text, Catch::Matchers::Contains("18 pairs cross a channel of index 9"));
}

TEST_CASE("the worst pairs do not depend on the number of threads") {
  const RoutedFabric routed = random_fabric(11, RandomTables::shortest_paths, true);
  const auto loads = channel_loads(routed.fabric, routed.tables);
  const auto text = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return to_text(routed.fabric, routed.tables,
                   worst_pairs(routed.fabric, routed.tables, loads, 25), loads);
  };
  CHECK(text(1) == text(2));
  CHECK(text(1) == text(5));
}
