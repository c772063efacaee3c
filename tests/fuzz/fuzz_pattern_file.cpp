// Pattern files.

#include "evaluator/patterns/pattern_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_pattern_file(std::string_view input) {
  constexpr std::uint32_t ranks = 16;
  const PatternLevels levels = parse_pattern_levels(input, "input", ranks);
  require(levels.first.front() == 0 && levels.first.back() == levels.flows.size(),
          "the levels do not cover all flows");
  for (std::size_t l = 1; l < levels.first.size(); ++l) {
    require(levels.first[l - 1] < levels.first[l], "a level has no flow");
  }
  for (const Flow& flow : levels.flows) {
    require(flow.source < ranks && flow.destination < ranks && flow.source != flow.destination,
            "a flow has an invalid rank or equal ranks");
  }
}

}  // namespace pssp::test
