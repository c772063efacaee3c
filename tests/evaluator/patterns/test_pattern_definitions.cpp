// Compares every deterministic pattern with an independent naive implementation of its definition,
// for 0 to 40 ranks, and with the worked examples of the ORCS report.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "tests/evaluator/patterns/pattern_testing.h"

using namespace pssp;
using namespace pssp::test;

namespace {

constexpr std::uint32_t most_ranks = 40;

bool power_of_two(std::uint32_t n) {
  std::uint32_t power = 1;
  while (power < n) power *= 2;
  return power == n;
}

Pairs sorted(Pairs pairs) {
  std::ranges::sort(pairs);
  return pairs;
}

/// Sorts the flows within each phase and drops empty phases at the end.
Levels sorted(Levels levels) {
  for (Pairs& level : levels) std::ranges::sort(level);
  while (!levels.empty() && levels.back().empty()) levels.pop_back();
  return levels;
}

void check_sizes(const std::string& pattern, Levels (*expected)(std::uint32_t)) {
  for (std::uint32_t n = 0; n <= most_ranks; ++n) {
    CAPTURE(pattern, n);
    REQUIRE(sorted(levels_of(pattern, n)) == sorted(expected(n)));
  }
}

/// The pairs (i, f(i)) without the pairs in which f(i) = i.
template <class Function>
Levels permutation(std::uint32_t n, Function f) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (f(i) != i) pairs.emplace_back(i, f(i));
  }
  return {pairs};
}

std::string bits_of(std::uint32_t rank, std::uint32_t n) {
  std::string bits;
  for (std::uint32_t place = 1; place < n; place *= 2) {
    bits.insert(bits.begin(), (rank & place) != 0 ? '1' : '0');
  }
  return bits;
}

std::uint32_t rank_of(const std::string& bits) {
  std::uint32_t rank = 0;
  for (const char bit : bits) rank = 2 * rank + (bit == '1' ? 1 : 0);
  return rank;
}

/// Connects each rank to later ranks while both have fewer than `most` neighbors.
Levels joined_greedily(std::uint32_t n, std::size_t most) {
  std::map<std::uint32_t, std::set<std::uint32_t>> neighbors;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = i + 1; k < n; ++k) {
      if (neighbors[i].size() >= most || neighbors[k].size() >= most) continue;
      neighbors[i].insert(k);
      neighbors[k].insert(i);
    }
  }
  Pairs pairs;
  for (const auto& [rank, others] : neighbors) {
    for (const std::uint32_t other : others) pairs.emplace_back(rank, other);
  }
  return {pairs};
}

/// Flows to the neighbors in a two-dimensional grid: from each rank, steps in each direction, with
/// wraparound, until it reaches a cell that has a rank.
Levels grid_walks(std::uint32_t n) {
  int width = 0;
  while (width * width < static_cast<int>(n)) ++width;
  int height = 0;
  while (height * width < static_cast<int>(n)) ++height;
  std::set<RankPair> pairs;
  for (int rank = 0; rank < static_cast<int>(n); ++rank) {
    const std::vector<std::pair<int, int>> directions = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (const auto& [dx, dy] : directions) {
      int x = rank % width;
      int y = rank / width;
      do {
        x = (x + dx + width) % width;
        y = (y + dy + height) % height;
      } while (y * width + x >= static_cast<int>(n));
      if (y * width + x != rank) pairs.emplace(rank, y * width + x);
    }
  }
  return {{pairs.begin(), pairs.end()}};
}

Pairs all_ordered_pairs(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = 0; k < n; ++k) {
      if (i != k) pairs.emplace_back(i, k);
    }
  }
  return pairs;
}

Pairs flattened(const Levels& levels) {
  Pairs pairs;
  for (const Pairs& level : levels) pairs.insert(pairs.end(), level.begin(), level.end());
  return pairs;
}

}  // namespace

TEST_CASE("the null pattern has no phases") {
  check_sizes("null", [](std::uint32_t) { return Levels{}; });
}

TEST_CASE("bisection patterns match their definitions") {
  check_sizes("bisect", [](std::uint32_t n) {
    Pairs pairs;
    for (std::uint32_t i = 0; i < n / 2; ++i) pairs.emplace_back(2 * i + 1, 2 * i);
    return Levels{pairs};
  });
  check_sizes("bisect_fb_sym", [](std::uint32_t n) {
    Pairs pairs;
    for (std::uint32_t i = 0; i < n / 2; ++i) {
      pairs.emplace_back(2 * i + 1, 2 * i);
      pairs.emplace_back(2 * i, 2 * i + 1);
    }
    return Levels{pairs};
  });
}

TEST_CASE("a rank of the binomial tree receives in the phase of its highest bit") {
  check_sizes("tree", [](std::uint32_t n) {
    Levels levels(32);
    for (std::uint32_t rank = 1; rank < n; ++rank) {
      const std::string bits = bits_of(rank, rank + 1);
      levels[bits.size() - 1].emplace_back(rank_of(bits.substr(1)), rank);
    }
    return levels;
  });
}

TEST_CASE("bruck and dissemination match their definition") {
  const auto expected = [](std::uint32_t n) {
    Levels levels;
    for (std::uint32_t distance = 1; distance < n; distance *= 2) {
      Pairs pairs;
      for (std::uint32_t i = 0; i < n; ++i) pairs.emplace_back(i, (i + distance) % n);
      levels.push_back(pairs);
    }
    return levels;
  };
  check_sizes("bruck", expected);
  check_sizes("dissemination", expected);
}

TEST_CASE("gather, scatter, ring and all-to-all match their definitions") {
  check_sizes("gather", [](std::uint32_t n) {
    Pairs pairs;
    for (std::uint32_t i = 1; i < n; ++i) pairs.emplace_back(i, 0);
    return Levels{pairs};
  });
  check_sizes("scatter", [](std::uint32_t n) {
    Pairs pairs;
    for (std::uint32_t i = 1; i < n; ++i) pairs.emplace_back(0, i);
    return Levels{pairs};
  });
  check_sizes("ring", [](std::uint32_t n) {
    Levels levels;
    for (std::uint32_t i = 0; i < n && n > 1; ++i) levels.push_back({{i, (i + 1) % n}});
    return levels;
  });
  check_sizes("all_to_all", [](std::uint32_t n) { return Levels{all_ordered_pairs(n)}; });
}

TEST_CASE("a pipeline forwards each segment in the phase after it arrives") {
  check_sizes("pipeline", [](std::uint32_t n) {
    Pairs pairs;
    for (std::uint32_t i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
    return Levels{pairs};
  });
  for (const std::uint32_t segments : {1U, 2U, 5U, 100U}) {
    for (std::uint32_t n = 0; n <= most_ranks; ++n) {
      Levels expected(segments + n);
      for (std::uint32_t s = 0; s < segments; ++s) {
        for (std::uint32_t i = 0; i + 1 < n; ++i) expected[s + i].emplace_back(i, i + 1);
      }
      CAPTURE(segments, n);
      CHECK(sorted(levels_of("pipeline:" + std::to_string(segments), n)) == sorted(expected));
    }
  }
}

TEST_CASE("recursive doubling has an extra phase for ranks beyond a power of two") {
  check_sizes("recdbl", [](std::uint32_t n) {
    std::uint32_t power = 1;
    while (2 * power <= n) power *= 2;
    Levels levels;
    for (std::uint32_t distance = 1; distance < power; distance *= 2) {
      Pairs pairs;
      for (const RankPair& pair : all_ordered_pairs(power)) {
        if ((pair.first ^ pair.second) == distance) pairs.push_back(pair);
      }
      levels.push_back(pairs);
    }
    Pairs rest;
    for (std::uint32_t i = power; i < n; ++i) rest.emplace_back(i - power, i);
    levels.push_back(rest);
    return levels;
  });
}

TEST_CASE("neighbor patterns match greedy connection and the grid") {
  for (const std::uint32_t most : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 39U, 40U, 4294967295U}) {
    for (std::uint32_t n = 0; n <= most_ranks; ++n) {
      CAPTURE(most, n);
      REQUIRE(sorted(levels_of("neighbor:" + std::to_string(most), n)) ==
              sorted(joined_greedily(n, most)));
    }
  }
  check_sizes("2neighbor", [](std::uint32_t n) { return joined_greedily(n, 2); });
  check_sizes("4neighbor", [](std::uint32_t n) { return joined_greedily(n, 4); });
  check_sizes("6neighbor", [](std::uint32_t n) { return joined_greedily(n, 6); });
  check_sizes("neighbor2d", grid_walks);
}

TEST_CASE("shift patterns match their definitions") {
  for (const std::uint32_t distance : {1U, 2U, 7U, 40U, 41U, 4294967295U}) {
    for (std::uint32_t n = 0; n <= most_ranks; ++n) {
      CAPTURE(distance, n);
      CHECK(sorted(levels_of("shift:" + std::to_string(distance), n)) ==
            sorted(permutation(n, [=](std::uint64_t i) {
              return static_cast<std::uint32_t>((i + distance) % n);
            })));
    }
  }
  check_sizes("shifts", [](std::uint32_t n) {
    Levels levels;
    for (std::uint32_t distance = 1; distance < n; ++distance) {
      levels.push_back(permutation(n, [=](std::uint32_t i) { return (i + distance) % n; }).front());
    }
    return levels;
  });
}

TEST_CASE("pairwise exchange covers every ordered pair once, with one partner in each phase") {
  for (std::uint32_t n = 0; n <= most_ranks; ++n) {
    const Levels levels = levels_of("pairwise", n);
    CAPTURE(n);
    CHECK(levels.size() == (n < 2 ? 0 : n - 1));
    CHECK(sorted(flattened(levels)) == all_ordered_pairs(n));
    for (const Pairs& level : levels) {
      std::map<std::uint32_t, std::uint32_t> partner(level.begin(), level.end());
      std::set<std::uint32_t> receivers;
      for (const RankPair& pair : level) receivers.insert(pair.second);
      CHECK(partner.size() == n);
      CHECK(receivers.size() == n);
      if (!power_of_two(n)) continue;
      for (const RankPair& pair : level) CHECK(partner[pair.second] == pair.first);
    }
  }
}

TEST_CASE("bit permutation patterns match their definitions") {
  for (std::uint32_t n = 1; n <= 1024; n *= 2) {
    CAPTURE(n);
    CHECK(sorted(levels_of("bit_reversal", n)) == sorted(permutation(n, [=](std::uint32_t i) {
            std::string bits = bits_of(i, n);
            std::ranges::reverse(bits);
            return rank_of(bits);
          })));
    CHECK(sorted(levels_of("complement", n)) == sorted(permutation(n, [=](std::uint32_t i) {
            std::string bits = bits_of(i, n);
            for (char& bit : bits) bit = bit == '0' ? '1' : '0';
            return rank_of(bits);
          })));
  }
  // Both definitions of the transposition: on bits for powers of four, on rows and columns for
  // squares.
  for (std::uint32_t n = 1; n <= 1024; n *= 4) {
    CAPTURE(n);
    CHECK(sorted(levels_of("transpose", n)) == sorted(permutation(n, [=](std::uint32_t i) {
            std::string bits = bits_of(i, n);
            std::rotate(bits.begin(), bits.begin() + static_cast<long>(bits.size() / 2),
                        bits.end());
            return rank_of(bits);
          })));
  }
  for (std::uint32_t rows = 0; rows <= 12; ++rows) {
    Pairs expected;
    for (std::uint32_t r = 0; r < rows; ++r) {
      for (std::uint32_t c = 0; c < rows; ++c) {
        if (r != c) expected.emplace_back(r * rows + c, c * rows + r);
      }
    }
    CHECK(sorted(levels_of("transpose", rows * rows)) == sorted(Levels{expected}));
  }
  for (const std::string pattern : {"bit_reversal", "complement", "transpose"}) {
    CHECK(levels_of(pattern, 0).empty());
  }
}

TEST_CASE("bit permutation patterns refuse other sizes and name the nearest valid sizes") {
  for (const std::string pattern : {"bit_reversal", "complement"}) {
    for (std::uint32_t n = 1; n <= most_ranks; ++n) {
      if (power_of_two(n)) {
        CHECK_NOTHROW(levels_of(pattern, n));
      } else {
        CHECK_THAT(refusal_of(pattern, n), Catch::Contains("powers of two"));
      }
    }
  }
  CHECK_THAT(refusal_of("complement", 12),
             Catch::Contains("not for 12 ranks; the nearest sizes are 8 and 16"));
  CHECK_THAT(refusal_of("transpose", 12),
             Catch::Contains("square numbers only, not for 12 ranks; the nearest sizes are 9 "
                             "and 16"));
  CHECK_THAT(refusal_of("bit_reversal", 4294967295U), Catch::Contains("2147483648 and 4294967296"));
  CHECK_THAT(refusal_of("transpose", 4294967295U), Catch::Contains("4294836225 and 4294967296"));
}

TEST_CASE("a tornado rank sends just less than halfway around each ring") {
  // Offsets ceil(k / 2) - 1 in rings of k = 0, 1, 2 ... ranks.
  const std::vector<std::uint32_t> offsets = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4};
  for (std::uint32_t n = 0; n < offsets.size(); ++n) {
    CAPTURE(n);
    CHECK(sorted(levels_of("tornado", n)) ==
          sorted(permutation(n, [&](std::uint32_t i) { return (i + offsets[n]) % n; })));
  }
  // A 5 x 4 x 2 torus with coordinates (x, y, h), h fastest: the offsets are 2, 1 and 0.
  CHECK(sorted(levels_of("tornado:5x4x2", 40)) == sorted(permutation(40, [](std::uint32_t i) {
          const std::uint32_t x = i / 8;
          const std::uint32_t y = i / 2 % 4;
          return (x + 2) % 5 * 8 + (y + 1) % 4 * 2 + i % 2;
        })));
  CHECK(levels_of("tornado:7", 7) == levels_of("tornado", 7));
  CHECK(levels_of("tornado:2x2x2", 8).empty());
}

TEST_CASE("patterns match the worked examples of the ORCS report") {
  // Section 4 and figure 6: binomial tree of 8 ranks.
  CHECK(levels_of("tree", 8) ==
        Levels{{{0, 1}}, {{0, 2}, {1, 3}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}});
  // Figure 1: Bruck pattern of 8 ranks. Section 2.5: 16 ranks have 4 phases of 16 messages.
  const Levels bruck = levels_of("bruck", 8);
  REQUIRE(bruck.size() == 3);
  CHECK(bruck[0] == Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}});
  CHECK(bruck[1] == Pairs{{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 0}, {7, 1}});
  CHECK(bruck[2] == Pairs{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 0}, {5, 1}, {6, 2}, {7, 3}});
  const Levels bruck_of_16 = levels_of("bruck", 16);
  CHECK(bruck_of_16.size() == 4);
  for (const Pairs& level : bruck_of_16) CHECK(level.size() == 16);
  // Figure 2: recursive doubling of 8 ranks.
  CHECK(sorted(levels_of("recdbl", 8)) ==
        sorted(Levels{{{0, 1}, {1, 0}, {2, 3}, {3, 2}, {4, 5}, {5, 4}, {6, 7}, {7, 6}},
                      {{0, 2}, {2, 0}, {1, 3}, {3, 1}, {4, 6}, {6, 4}, {5, 7}, {7, 5}},
                      {{0, 4}, {4, 0}, {1, 5}, {5, 1}, {2, 6}, {6, 2}, {3, 7}, {7, 3}}}));
  // Section 4 gives the bisection of 6 ranks as {(0, 1), (2, 3), (4, 5)}. According to the formulas
  // of section 2.4, the odd ranks are the senders.
  CHECK(levels_of("bisect", 6) == Levels{{{1, 0}, {3, 2}, {5, 4}}});
  // Cluster 2008, figure 6: dissemination and tree both need three rounds for seven processes.
  CHECK(levels_of("dissemination", 7).size() == 3);
  CHECK(levels_of("tree", 7).size() == 3);
}

TEST_CASE("a flow writer passes its flows on in full blocks") {
  PatternSpec request;
  request.pattern = "all_to_all";
  request.ranks = 600;
  std::size_t blocks = 0;
  std::size_t flows = 0;
  FlowWriter writer([&](std::span<const Flow> block) {
    ++blocks;
    flows += block.size();
    CHECK(block.size() == FlowWriter::capacity);
  });
  make_pattern(request)->write_level(0, RandomGenerator(1, 1), writer);
  CHECK(flows + writer.block().size() == std::size_t{600} * 599);
  CHECK(blocks == std::size_t{600} * 599 / FlowWriter::capacity);
}
