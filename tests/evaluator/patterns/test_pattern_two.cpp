// Tests the pattern ptrnvsptrn, which runs two patterns at the same time.

#include <catch2/catch.hpp>

#include "tests/evaluator/patterns/pattern_testing.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Contains;

namespace {

/// Merges the phases as ORCS does, step by step: the second pattern restarts if it ends before the
/// first pattern. The merged pattern ends when neither pattern has a flow.
Levels merged_step_by_step(const Levels& first, const Levels& second, std::uint32_t offset) {
  Levels merged;
  std::size_t at = 0;
  for (std::size_t level = 0;; ++level, ++at) {
    Pairs pairs = level < first.size() ? first[level] : Pairs();
    if (at >= second.size() && !pairs.empty()) at = 0;
    if (at < second.size()) {
      for (const RankPair& pair : second[at]) {
        pairs.emplace_back(pair.first + offset, pair.second + offset);
      }
    }
    if (pairs.empty()) return merged;
    merged.push_back(pairs);
  }
}

PatternSpec request_of(std::uint32_t ranks_of_first, std::uint32_t ranks) {
  PatternSpec request;
  request.pattern = "ptrnvsptrn";
  request.first = "tree";
  request.second = "bisect";
  request.ranks_of_first = ranks_of_first;
  request.ranks = ranks;
  return request;
}

}  // namespace

TEST_CASE("ptrnvsptrn matches the example of the ORCS report, section 2.5") {
  // The example writes the pairs of the bisection in reverse, unlike section 2.4 of the report.
  CHECK(levels_of_two("scatter", "bisect", 4, 8) ==
        Levels{{{0, 1}, {0, 2}, {0, 3}, {5, 4}, {7, 6}}});
}

TEST_CASE("ptrnvsptrn merges phases as ORCS does") {
  const std::vector<std::string> patterns = {"null",   "tree",   "bruck",      "bisect",  "ring",
                                             "gather", "recdbl", "neighbor:4", "pairwise"};
  for (const std::string& first : patterns) {
    for (const std::string& second : patterns) {
      for (const auto& [part, ranks] :
           {RankPair{1, 2}, {2, 4}, {1, 9}, {8, 9}, {5, 12}, {8, 24}, {17, 24}, {3, 40}}) {
        CAPTURE(first, second, part, ranks);
        const Levels expected =
            merged_step_by_step(levels_of(first, part), levels_of(second, ranks - part), part);
        REQUIRE(levels_of_two(first, second, part, ranks) == expected);
      }
    }
  }
}

TEST_CASE("ptrnvsptrn draws its two random patterns independently") {
  PatternSpec request = request_of(10, 20);
  request.first = request.second = "rand";
  const auto pattern = make_pattern(request);
  int alike = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    const Pairs pairs = level_of(*pattern, 0, RandomGenerator(1, run));
    REQUIRE(pairs.size() == 20);
    bool same = true;
    for (std::size_t i = 0; i < 10; ++i) {
      REQUIRE(pairs[i].second < 10);
      REQUIRE(pairs[10 + i].second >= 10);
      same = same && pairs[i].second + 10 == pairs[10 + i].second;
    }
    alike += same ? 1 : 0;
    REQUIRE(level_of(*pattern, 0, RandomGenerator(1, run)) == pairs);
  }
  CHECK(alike == 0);
}

TEST_CASE("ptrnvsptrn observes only the ranks of the first pattern") {
  CHECK(make_pattern(request_of(3, 8))->observed_ranks() == 3);
}

TEST_CASE("ptrnvsptrn accepts its patterns as options or as an argument") {
  PatternSpec request = request_of(3, 12);
  const Levels expected = levels_of_two("neighbor:2", "shift:2", 3, 12);
  request.first = request.second = "";
  request.pattern = "ptrnvsptrn:neighbor:2::shift:2";
  CHECK(levels_of(request) == expected);
}

TEST_CASE("ptrnvsptrn refuses missing, conflicting and invalid patterns") {
  for (const auto& [part, ranks] : {RankPair{0, 8}, {8, 8}, {9, 8}, {0, 0}, {1, 1}, {0, 1}}) {
    CHECK_THAT(refusal_of(request_of(part, ranks)), Contains("each of the two patterns needs"));
  }
  PatternSpec request = request_of(4, 8);
  request.pattern = "ptrnvsptrn:tree::ring";
  CHECK_THAT(refusal_of(request), Contains("options name them as well"));
  request.first = request.second = "";
  request.pattern = "ptrnvsptrn";
  CHECK_THAT(refusal_of(request), Contains("needs two patterns"));
  request.first = "tree";
  CHECK_THAT(refusal_of(request), Contains("needs two patterns"));
  request.first = "";
  for (const std::string argument : {"tree", "tree:ring", "tree:", ":"}) {
    request.pattern = "ptrnvsptrn:" + argument;
    CHECK_THAT(refusal_of(request), Contains("names one pattern"));
  }
  for (const std::string argument : {"::", "tree::", "::tree"}) {
    request.pattern = "ptrnvsptrn:" + argument;
    CHECK_THAT(refusal_of(request), Contains("needs two patterns"));
  }
  request.pattern = "ptrnvsptrn:tree::nothing";
  CHECK_THAT(refusal_of(request), Contains("unknown pattern 'nothing'"));
  request.pattern = "ptrnvsptrn:tree::ptrnvsptrn:tree::ring";
  CHECK_THAT(refusal_of(request), Contains("cannot be a part of itself"));
  request.pattern = "ptrnvsptrn:tree::complement";
  request.ranks = 10;
  CHECK_THAT(refusal_of(request), Contains("not for 6 ranks"));
}
