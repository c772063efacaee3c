#include "evaluator/report/worst_pairs_report.h"

#include <fmt/format.h>

#include "evaluator/report/path_report.h"
#include "evaluator/scoring/pair_path.h"

namespace pssp {

std::string to_text(const Fabric& fabric, const ForwardingTables& tables, const WorstPairs& worst,
                    std::span<const std::uint64_t> loads) {
  if (worst.pairs.empty()) return "Worst-off pairs: none, as no route crosses a channel\n";
  std::string text = fmt::format(
      "Worst-off pairs (by the busiest channel on their route, then by the sum of the indices of "
      "its channels; {} pairs cross a channel of index {:g})\n",
      worst.as_bad_as_the_first, worst.pairs.front().largest_index);
  for (const WorstPair& each : worst.pairs) {
    text += "\n" + to_text(fabric, path_of_pair(fabric, tables, each.pair), loads);
  }
  return text;
}

}  // namespace pssp
