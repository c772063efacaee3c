// Tests patterns from files and the output of --printptrn, which has the same format.

#include <catch2/catch.hpp>
#include <random>

#include "evaluator/patterns/pattern_file.h"
#include "evaluator/patterns/print_pattern.h"
#include "tests/evaluator/patterns/pattern_testing.h"
#include "tests/temporary_file.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Contains;

namespace {

Levels parse(const std::string& text, std::uint32_t ranks) {
  const PatternLevels parsed = parse_pattern_levels(text, "file", ranks);
  Levels levels;
  for (std::size_t l = 0; l + 1 < parsed.first.size(); ++l) {
    levels.emplace_back();
    for (std::size_t i = parsed.first[l]; i < parsed.first[l + 1]; ++i) {
      levels.back().emplace_back(parsed.flows[i].source, parsed.flows[i].destination);
    }
  }
  return levels;
}

void require_unreadable(const std::string& text, const std::string& message) {
  CAPTURE(text.substr(0, 100));
  try {
    parse(text, 8);
    FAIL("the file was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    CHECK_THAT(error.what(), Contains(message));
  }
}

/// The output of --printptrn for all phases. Rank i runs on "host i".
std::string printed(const Pattern& pattern, std::uint32_t ranks) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < ranks; ++i) names.push_back("host " + std::to_string(i));
  std::string text;
  for (std::uint32_t level = 0; level < pattern.level_count(); ++level) {
    print_level(pattern, level, RandomGenerator(1, 1), names,
                [&text](std::string_view part) { text += part; });
  }
  return text;
}

}  // namespace

TEST_CASE("a pattern file may contain comments, phases and ORCS output") {
  const Levels levels = parse(
      "\xEF\xBB\xBF# made by hand\r\n"
      "\r\n"
      "0 1\r\n"
      "\t2->3   # in the first level\r\n"
      "2 -> 3\r\n"
      "level # the second\r\n"
      "007 00 | anything -> at # all\r\n"
      "\n"
      "  level  \n"
      "=================\n"
      "4\t5|\n"
      "6 7#\n"
      "0->\t1",
      8);
  CHECK(levels == Levels{{{0, 1}, {2, 3}, {2, 3}}, {{7, 0}}, {{4, 5}, {6, 7}, {0, 1}}});
  CHECK(parse("level\n1 0", 2) == Levels{{{1, 0}}});
}

TEST_CASE("a pattern file works like any other pattern") {
  const TemporaryFile file("0 1\n1 2\nlevel\n2 0\n");
  CHECK(levels_of("file:" + file.path(), 5) == Levels{{{0, 1}, {1, 2}}, {{2, 0}}});
  CHECK(levels_of_two("tree", "file:" + file.path(), 2, 5) ==
        Levels{{{0, 1}, {2, 3}, {3, 4}}, {{4, 2}}});
  PatternSpec request;
  request.pattern = "file:/no/such/file";
  request.ranks = 8;
  CHECK_THROWS_AS(make_pattern(request), Error);
  request.pattern = "file:" + file.path();
  request.ranks = 2;
  CHECK_THROWS_WITH(make_pattern(request), Contains(file.path() + ":2: unknown rank 2 in a "
                                                                  "communicator of 2"));
}

TEST_CASE("errors in a pattern file name the file and the line") {
  require_unreadable("", "file: the file contains no flow: it is an empty file");
  require_unreadable("# nothing\n\n", "file: the file contains no flow");
  require_unreadable("level\n", "file:1: the level that begins here contains no flow");
  require_unreadable("level\nlevel\n0 1\n", "file:1: the level that begins here contains no flow");
  require_unreadable("0 1\nlevel\n\n# x\nlevel\n1 2\n",
                     "file:2: the level that begins here contains no flow");
  require_unreadable("0 1\nlevel\n", "file:2: the level that begins here contains no flow");
  require_unreadable("0 1\n3 3\n", "file:2: rank 3 sends to itself");
  require_unreadable("0 8\n", "file:1: unknown rank 8 in a communicator of 8");
  require_unreadable("8 0\n", "file:1: unknown rank 8");
  require_unreadable("18446744073709551615 0\n", "file:1: unknown rank 18446744073709551615");
  require_unreadable("4294967296 4294967297\n", "file:1: unknown rank 4294967296");
  for (const std::string line : {"0",
                                 "0 1 2",
                                 "0 -1",
                                 "-1 0",
                                 "0 - > 1",
                                 "0 >1",
                                 "0 -> -> 1",
                                 "a b",
                                 "0x1 2",
                                 "0,1",
                                 "0 1.5",
                                 "levels",
                                 "level 2",
                                 "0 1 level",
                                 "0 1;",
                                 "18446744073709551616 0",
                                 "0 ->",
                                 "-> 1",
                                 "12",
                                 "Used Pattern",
                                 "Used Pattern: x",
                                 "Pattern empty!",
                                 "weight 1: 7 of the 7 connections"}) {
    require_unreadable("1 2\n" + line + "\n",
                       "file:2: invalid flow '" + line + "'; expected 'level'");
  }
  require_unreadable("0 1\n" + std::string(1, '\0'), "NUL byte");
  require_unreadable("0 1\n" + std::string(70000, '1'), "file:2: the line is longer");
}

TEST_CASE("a corrupted pattern file causes an error or gives a valid pattern") {
  const std::string good =
      "# x\nlevel\n0 1\n2 -> 3 | H -> H\nlevel\n7 0\n\nUsed Pattern:\n====\n 1 -> 2\n====\n";
  std::mt19937 random(GENERATE(1U, 2U));
  for (int round = 0; round < 10000; ++round) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    for (unsigned k = random() % 4; k > 0 && !text.empty(); --k) {
      text[random() % text.size()] = "\n\t -><0918levl|#=\xFF\r"[random() % 19];
    }
    try {
      for (const Pairs& level : parse(text, 8)) {
        if (level.empty()) FAIL(text);
        for (const RankPair& pair : level) {
          if (pair.first >= 8 || pair.second >= 8 || pair.first == pair.second) FAIL(text);
        }
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unreadable_input) FAIL(error.what());
    }
  }
}

TEST_CASE("printed patterns have the format of ORCS") {
  const TemporaryFile file("0 1\n10 11\nlevel\n3 2\n");
  PatternSpec request;
  request.pattern = "file:" + file.path();
  request.ranks = 12;
  CHECK(printed(*make_pattern(request), 12) ==
        "\nUsed Pattern:\n=================\n"
        "    0 -> 1       |   host 0 -> host 1\n"
        "   10 -> 11      |   host 10 -> host 11\n"
        "=================\n"
        "\nUsed Pattern:\n=================\n"
        "    3 -> 2       |   host 3 -> host 2\n"
        "=================\n");
}

TEST_CASE("printed ranks of any length stay separated") {
  const TemporaryFile file("9999 99999\n1234567 12345\n");
  PatternSpec request;
  request.pattern = "file:" + file.path();
  request.ranks = 2000000;
  const std::string text = printed(*make_pattern(request), request.ranks);
  CHECK_THAT(text, Contains("\n 9999 -> 99999   |   host 9999 -> host 99999\n"));
  CHECK_THAT(text, Contains("\n 1234567 -> 12345   |   host 1234567 -> host 12345\n"));
}

TEST_CASE("the printed form of every pattern can be read back") {
  for (const std::string pattern :
       {"rand", "bisect", "bisect_fb_sym", "tree", "bruck", "gather", "scatter", "ring", "recdbl",
        "neighbor:4", "neighbor2d", "pairwise", "pipeline:3", "shifts", "tornado", "all_to_all"}) {
    PatternSpec request;
    request.pattern = pattern;
    request.ranks = 23;
    CAPTURE(pattern);
    CHECK(parse(printed(*make_pattern(request), 23), 23) == levels_of(pattern, 23));
  }
  // More flows than a writer holds at once.
  PatternSpec request;
  request.pattern = "all_to_all";
  request.ranks = 300;
  CHECK(parse(printed(*make_pattern(request), 300), 300) == levels_of("all_to_all", 300));
}

TEST_CASE("a pattern file gives the bytes of a flow after a bar, 1 by default") {
  const PatternLevels parsed = parse_pattern_levels(
      "0 1 | 4096 bytes\n1 -> 2 |7 bytes\n2 3\nlevel\n3 2 | 12 things\n3 1 # 9 bytes\n", "file", 8);
  CHECK(parsed.bytes == std::vector<std::uint64_t>{4096, 7, 1, 1, 1});
}
