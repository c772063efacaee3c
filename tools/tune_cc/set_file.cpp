// Initial comments name the fabric for which the file was made, and the command that made it.

#include <fmt/format.h>

#include <algorithm>

#include "base/version.h"
#include "congestion/parameter_text.h"
#include "tools/tune_cc/report.h"

namespace pssp {

std::string set_text(const TuneOptions& options, const Tuning& tuning) {
  const TuningResult& result = tuning.result;
  std::string text = fmt::format(
      "# {} --budget {}\n# by pssp tune-cc {}; {}\n# recommended: {}\n", options.command,
      tuning.result.cut_by_time ? options.budget : std::to_string(tuning.plan.runs), version(),
      tuning.identity, result.reason);
  if (result.chosen) {
    const Shortlisted& chosen = result.shortlist[*result.chosen];
    text += fmt::format("# {}: mean {:.3f} GByte/s over {} seeds, off {:.3f}\n", chosen.cell.name,
                        chosen.throughput.mean / 1e9, chosen.score.values,
                        result.off.throughput.mean / 1e9);
  }
  if (result.cut_by_time) text += "# the search was cut short by the time of --budget\n";
  std::string holds = holds_text(tuning);
  for (std::size_t at = 0; at < holds.size();) {
    const std::size_t end = holds.find('\n', at);
    text += "# hold" + holds.substr(at + 1, end - at);
    at = end + 1;
  }
  return text + "\n" + congestion_parameters_text(tuning.chosen_set());
}

}  // namespace pssp
