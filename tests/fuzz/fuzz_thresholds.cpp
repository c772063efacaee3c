// Counter thresholds in the format of ibqueryerrors, as monitor_fabric check reads them.

#include <algorithm>
#include <string>

#include "monitor/analysis/verdicts.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

bool has(const std::vector<Threshold>& all, Counter counter) {
  return std::ranges::count(all, counter, &Threshold::counter) == 1;
}

}  // namespace

void fuzz_thresholds(std::string_view input) {
  const std::vector<Threshold> all = parse_thresholds(input, "input");
  for (const Threshold& each : all) {
    require(has(all, each.counter), "a counter has two thresholds");
  }
  for (const Threshold& each : parse_thresholds("", "nothing")) {
    require(has(all, each.counter), "a counter with a default threshold is missing");
  }
  const std::vector<Threshold> again =
      parse_thresholds(std::string(input) + "\n# again\n", "input");
  require(std::ranges::equal(all, again, {}, &Threshold::most, &Threshold::most),
          "a comment changes thresholds");
}

}  // namespace pssp::test
