// Tests the properties that all patterns share and the checks of pattern names and arguments.

#include <catch2/catch.hpp>
#include <set>

#include "tests/evaluator/patterns/pattern_testing.h"
#include "tests/temporary_file.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Contains;

namespace {

/// The pattern's name with an argument that is valid for it.
std::string example_of(const PatternDescription& description, const std::string& file) {
  const std::string name(description.name);
  if (name == "file") return name + ":" + file;
  if (name == "ptrnvsptrn") return name + ":tree::ring";
  if (name.starts_with("recvs")) return name + ":3,0.5,0.3";
  if (name == "pipeline") return name + ":4";
  if (description.argument.empty() || description.argument.starts_with('[')) return name;
  return name + ":3";
}

}  // namespace

TEST_CASE("every pattern has a unique name and a description") {
  std::set<std::string_view> names;
  for (const PatternDescription& each : pattern_registry()) {
    CAPTURE(each.name);
    CHECK(names.insert(each.name).second);
    CHECK_FALSE(each.summary.empty());
    CHECK(each.name.find(':') == std::string_view::npos);
  }
  // The patterns of the ORCS report, section 2.4, and of the ORCS source.
  for (const std::string_view name :
       {"rand", "null", "bisect", "bisect_fb_sym", "tree", "bruck", "gather", "scatter", "ring",
        "recdbl", "2neighbor", "4neighbor", "6neighbor", "ptrnvsptrn", "neighbor", "neighbor2d",
        "recvs_one_src", "recvs_all_src"}) {
    CHECK(names.contains(name));
  }
}

TEST_CASE("flows of every pattern stay in the communicator and never go to the sender") {
  const TemporaryFile file("0 1\nlevel\n1 0\n");
  for (const PatternDescription& each : pattern_registry()) {
    PatternSpec request;
    request.pattern = example_of(each, file.path());
    for (std::uint32_t n = 0; n <= 40; ++n) {
      request.ranks = n;
      request.ranks_of_first = n / 2;
      CAPTURE(request.pattern, n);
      std::unique_ptr<Pattern> pattern;
      try {
        pattern = make_pattern(request);
      } catch (const Error&) {
        // Undefined for this size. The tests of each pattern check which sizes are undefined.
        const bool may_refuse = each.name == "ptrnvsptrn" || each.name == "file"
                                    ? n < 2
                                    : each.name == "bit_reversal" || each.name == "complement" ||
                                          each.name == "stencil" || each.name == "transpose";
        REQUIRE(may_refuse);
        continue;
      }
      REQUIRE(pattern->observed_ranks() == (each.name == "ptrnvsptrn" ? n / 2 : n));
      if (n < 2) REQUIRE(pattern->level_count() == 0);
      for (std::uint32_t level = 0; level < pattern->level_count(); ++level) {
        const Pairs pairs = level_of(*pattern, level, RandomGenerator(5, level));
        const bool by_chance = each.name.starts_with("recvs");
        if (!by_chance) REQUIRE_FALSE(pairs.empty());
        for (const RankPair& pair : pairs) {
          REQUIRE(pair.first < n);
          REQUIRE(pair.second < n);
          REQUIRE(pair.first != pair.second);
        }
        REQUIRE(level_of(*pattern, level, RandomGenerator(5, level)) == pairs);
      }
    }
  }
}

TEST_CASE("make_pattern refuses unknown names and invalid arguments") {
  CHECK_THAT(refusal_of("bisection", 8),
             Contains("unknown pattern 'bisection'") && Contains("bisect,"));
  CHECK_THAT(refusal_of("", 8), Contains("unknown pattern ''"));
  CHECK_THAT(refusal_of("Tree", 8), Contains("unknown pattern 'Tree'"));
  CHECK_THAT(refusal_of("tree:2", 8), Contains("pattern 'tree' takes no argument"));
  CHECK_THAT(refusal_of("tree:", 8), Contains("takes no argument"));
  CHECK_THAT(refusal_of("shift", 8), Contains("pattern 'shift' needs an argument: shift:K"));
  CHECK_THAT(refusal_of("neighbor:", 8), Contains("needs an argument: neighbor:N"));
  for (const std::string number : {"0", "-1", "1.5", "x", " 1", "1 ", "0x10", "4294967296",
                                   "99999999999999999999999999", "+1"}) {
    CHECK_THAT(refusal_of("shift:" + number, 8), Contains("expected a whole number, 1 .. "));
    CHECK_THAT(refusal_of("neighbor:" + number, 8), Contains("expected a whole number, 1 .. "));
    CHECK_THAT(refusal_of("pipeline:" + number, 8), Contains("expected a whole number, 1 .. "));
  }
  CHECK_THAT(refusal_of("tornado:3x3", 8), Contains("does not have 8 ranks"));
  CHECK_THAT(refusal_of("tornado:2x2", 8), Contains("does not have 8 ranks"));
  CHECK_THAT(refusal_of("tornado:4294967296x4294967296x2", 8), Contains("does not have 8 ranks"));
  for (const std::string sizes : {"4x", "x2", "4x0", "4,2", "4x2x", "a", "0"}) {
    CHECK_THAT(refusal_of("tornado:" + sizes, 8), Contains("for the sizes of a torus"));
  }
}
