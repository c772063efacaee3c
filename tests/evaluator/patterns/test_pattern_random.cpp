// Tests the distributions of random patterns with fixed seeds.

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/evaluator/patterns/pattern_testing.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Contains;

namespace {

std::unique_ptr<Pattern> make(const std::string& pattern, std::uint32_t ranks) {
  PatternSpec request;
  request.pattern = pattern;
  request.ranks = ranks;
  return make_pattern(request);
}

}  // namespace

TEST_CASE("in the rand pattern each rank sends once, receives once and avoids itself") {
  for (std::uint32_t n = 2; n <= 40; ++n) {
    const auto pattern = make("rand", n);
    REQUIRE(pattern->level_count() == 1);
    for (std::uint64_t run = 0; run < 20; ++run) {
      std::set<std::uint32_t> receivers;
      const Pairs pairs = level_of(*pattern, 0, RandomGenerator(3, run));
      REQUIRE(pairs.size() == n);
      for (std::uint32_t rank = 0; rank < n; ++rank) {
        REQUIRE(pairs[rank].first == rank);
        REQUIRE(pairs[rank].second != rank);
        receivers.insert(pairs[rank].second);
      }
      REQUIRE(receivers.size() == n);
      REQUIRE(*receivers.rbegin() < n);
    }
  }
}

TEST_CASE("the rand pattern draws all derangements with equal probability") {
  // Numbers of derangements of 3, 4, 5 and 6 elements, and the 99.9 % quantiles of chi-square for
  // one degree of freedom less.
  struct Case {
    std::uint32_t ranks;
    std::size_t derangements;
    double quantile;
  };
  for (const Case& each :
       {Case{3, 2, 10.83}, Case{4, 9, 26.12}, Case{5, 44, 77.42}, Case{6, 265, 340.5}}) {
    constexpr int draws_each = 200;
    const auto pattern = make("rand", each.ranks);
    std::map<Pairs, int> seen;
    const auto draws = static_cast<std::uint64_t>(each.derangements) * draws_each;
    for (std::uint64_t run = 0; run < draws; ++run) {
      ++seen[level_of(*pattern, 0, RandomGenerator(1, run))];
    }
    CAPTURE(each.ranks);
    CHECK(seen.size() == each.derangements);
    double sum = 0;
    for (const auto& [pairs, count] : seen) {
      sum += (count - draws_each) * (count - draws_each) / static_cast<double>(draws_each);
    }
    CHECK(sum < each.quantile);
  }
}

TEST_CASE("in linear order, recvs patterns assign senders to receivers round-robin") {
  CHECK(level_of(*make("recvs_all_src:3,linear", 9), 0) ==
        Pairs{{3, 0}, {4, 1}, {5, 2}, {6, 0}, {7, 1}, {8, 2}});
  CHECK(level_of(*make("recvs_all_src:3,1,1,linear", 9), 0).size() == 6);
  // A receiver with its one sender leaves the list; the round-robin counter still advances.
  CHECK(level_of(*make("recvs_one_src:3,linear", 9), 0) == Pairs{{3, 0}, {4, 2}, {5, 1}});
  // At most half of the ranks are receivers.
  CHECK(level_of(*make("recvs_all_src:100,linear", 5), 0) == Pairs{{2, 0}, {3, 1}, {4, 0}});
  CHECK(level_of(*make("recvs_all_src:1", 2), 0) == Pairs{{1, 0}});
}

TEST_CASE("in random order, each sender of a recvs pattern sends exactly once") {
  const auto pattern = make("recvs_all_src:3", 12);
  std::map<std::uint32_t, std::map<std::uint32_t, int>> met;  // by sender, then by receiver
  constexpr int runs = 9000;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::set<std::uint32_t> senders;
    std::map<std::uint32_t, int> received;
    for (const RankPair& pair : level_of(*pattern, 0, RandomGenerator(1, run))) {
      senders.insert(pair.first);
      ++received[pair.second];
      ++met[pair.first][pair.second];
    }
    REQUIRE(senders == std::set<std::uint32_t>{3, 4, 5, 6, 7, 8, 9, 10, 11});
    REQUIRE(received == std::map<std::uint32_t, int>{{0, 3}, {1, 3}, {2, 3}});
  }
  double sum = 0;
  for (const auto& [sender, receivers] : met) {
    for (const auto& [receiver, count] : receivers) {
      sum += (count - runs / 3.0) * (count - runs / 3.0) / (runs / 3.0);
    }
  }
  CHECK(sum < 39.25);  // 99.9 % quantile for (9 - 1) (3 - 1) degrees of freedom
}

TEST_CASE("recvs patterns send with the requested probabilities") {
  constexpr std::uint32_t ranks = 1000;
  const auto pattern = make("recvs_all_src:10,0.7,0.25", ranks);
  double to_receivers = 0;
  double to_others = 0;
  constexpr int runs = 40;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::set<std::uint32_t> senders;
    std::map<std::uint32_t, int> received;
    for (const RankPair& pair : level_of(*pattern, 0, RandomGenerator(2, run))) {
      REQUIRE(pair.first >= 10);
      REQUIRE(senders.insert(pair.first).second);
      ++(pair.second < 10 ? to_receivers : to_others);
      if (pair.second >= 10) REQUIRE(++received[pair.second] == 1);
    }
  }
  constexpr double all = 990.0 * runs;
  // Within four standard errors of 0.7 and 0.3 * 0.75.
  CHECK(to_receivers / all == Approx(0.7).margin(4 * 0.0023));
  CHECK(to_others / all == Approx(0.225).margin(4 * 0.0021));

  // No rank sends to a receiver and every sender chooses another sender: no rank gets two flows.
  const Pairs pairs = level_of(*make("recvs_all_src:10,0", ranks), 0);
  std::set<std::uint32_t> receivers;
  for (const RankPair& pair : pairs) receivers.insert(pair.second);
  CHECK(pairs.size() == 990);
  CHECK(receivers.size() >= 989);  // the last sender may have to send to its receiver
  CHECK(level_of(*make("recvs_all_src:10,0,1", ranks), 0).empty());
}

TEST_CASE("with one sender for each receiver, no receiver of a recvs pattern gets two flows") {
  const auto pattern = make("recvs_one_src:5,0.5,0.5", 20);
  for (std::uint64_t run = 0; run < 500; ++run) {
    std::set<std::uint32_t> receivers;
    std::set<std::uint32_t> senders;
    for (const RankPair& pair : level_of(*pattern, 0, RandomGenerator(2, run))) {
      REQUIRE(receivers.insert(pair.second).second);
      REQUIRE(senders.insert(pair.first).second);
    }
  }
}

TEST_CASE("recvs patterns refuse invalid arguments") {
  for (const std::string argument : {"0", "x", "-1", ",0.5", "1.5", "rand"}) {
    CHECK_THAT(refusal_of("recvs_all_src:" + argument, 8), Contains("the number of receivers"));
  }
  for (const std::string argument : {"1,", "1,1.1", "1,-0.1", "1,nan", "1,inf", "1,0.5x", "1,0.5,",
                                     "1,0.5,0.5,0.5", "1,0.5,random", "1,linear,0.5", "1,0.5 "}) {
    CAPTURE(argument);
    CHECK_THAT(refusal_of("recvs_one_src:" + argument, 8),
               Contains("is invalid; expected the number of receivers"));
  }
}
