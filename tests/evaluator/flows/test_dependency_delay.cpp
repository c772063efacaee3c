#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <vector>

#include "base/random.h"
#include "evaluator/flows/dependency_delay.h"

namespace {

using namespace pssp;

struct WeightedFlow {
  Flow flow;
  double congestion;
};
using Level = std::vector<WeightedFlow>;

double delay(const std::vector<Level>& levels, std::uint32_t observed) {
  DependencyDelay delay(observed);
  delay.clear();
  for (const Level& level : levels) {
    for (const WeightedFlow& flow : level) {
      delay.add(std::span(&flow.flow, 1), std::span(&flow.congestion, 1));
    }
    delay.end_level();
  }
  return delay.longest();
}

/// Tries every chain: each flow continues with all flows of the next phase that its destination
/// sends.
double longest_chain(const std::vector<Level>& levels) {
  const std::function<double(std::size_t, const WeightedFlow&)> from =
      [&](std::size_t level, const WeightedFlow& flow) {
        double longest = 0;
        if (level + 1 < levels.size()) {
          for (const WeightedFlow& next : levels[level + 1]) {
            if (next.flow.source == flow.flow.destination) {
              longest = std::max(longest, from(level + 1, next));
            }
          }
        }
        return flow.congestion + longest;
      };
  double longest = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    for (const WeightedFlow& flow : levels[level]) longest = std::max(longest, from(level, flow));
  }
  return longest;
}

}  // namespace

TEST_CASE("the dependency delay of a binomial tree of 8 ranks matches the ORCS report") {
  // Figure 6 of the ORCS report: rank 7 receives from rank 3, which received from rank 1, which
  // received from rank 0.
  const std::vector<Level> tree{{{{0, 1}, 1}},
                                {{{0, 2}, 2}, {{1, 3}, 1}},
                                {{{0, 4}, 1}, {{1, 5}, 3}, {{2, 6}, 1}, {{3, 7}, 4}}};
  CHECK(delay(tree, 8) == 6);
  // Rank 1 receives in phase 0 and sends again in phase 2: ORCS does not count this as a chain.
  const std::vector<Level> late{{{{0, 1}, 1}}, {{{2, 3}, 1}}, {{{1, 5}, 5}}};
  CHECK(delay(late, 8) == 5);
}

TEST_CASE("only observed ranks and routed flows contribute to the dependency delay") {
  const double none = std::numeric_limits<double>::infinity();
  CHECK(delay({{{{0, 1}, 1}, {{4, 5}, 9}}, {{{1, 2}, 1}, {{2, 3}, none}}}, 4) == 2);
  CHECK(delay({}, 4) == 0);
  CHECK(delay({{{{5, 6}, 2}}}, 4) == 0);
}

TEST_CASE("the dependency delay matches a search over all chains") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomGenerator random(seed, 7);
    const std::uint32_t ranks = 2 + random.below(5);
    std::vector<Level> levels(1 + random.below(5));
    for (Level& level : levels) {
      const std::uint32_t flows = random.below(6);
      for (std::uint32_t i = 0; i < flows; ++i) {
        level.push_back({{random.below(ranks), random.below(ranks)}, 1.0 + random.below(9)});
      }
    }
    REQUIRE(delay(levels, ranks) == longest_chain(levels));
  }
}
