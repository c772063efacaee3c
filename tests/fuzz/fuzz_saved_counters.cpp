// Counters that ibdiagnet saved, and the evaluation of the ports.

#include "monitor/analysis/verdicts.h"
#include "monitor/discovery/saved_counters.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_saved_counters(std::string_view input) {
  const SavedCounters saved = parse_saved_counters(input, "input");
  require_messages(saved.remarks);
  const std::size_t ports = saved.map->ports.size();
  require(saved.totals.status.size() == ports && saved.totals.known.size() == ports,
          "a port has no status");
  require(saved.between.empty() || saved.between.size() == ports, "a port has no difference");
  evaluate_totals(saved.totals, parse_thresholds("", ""));
  if (saved.between.empty()) return;
  const std::vector<PortWindow> windows = windows_of(saved.totals, saved.between);
  for (std::uint32_t p = 0; p < ports; ++p) {
    evaluate_port(*saved.map, p, windows[p], windows[p]);
  }
}

}  // namespace pssp::test
