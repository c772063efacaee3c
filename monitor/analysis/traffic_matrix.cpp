#include "monitor/analysis/traffic_matrix.h"

#include <fmt/format.h>

#include <iterator>

namespace pssp {

std::string traffic_text(const TrafficMatrix& matrix, std::uint32_t ranks) {
  std::string text = fmt::format(
      "# Traffic between {0} hosts, numbered by GUID. To simulate the flows without their bytes:\n"
      "#   pssp eval --ptrn file:FILE --commsize {0} --subset guid_asc --no-shuffle TABLES "
      "TOPOLOGY\n",
      ranks);
  for (const WeightedFlow& each : matrix.flows) {
    if (each.bytes < .5) continue;
    fmt::format_to(std::back_inserter(text), "{} -> {} | {:.0f} bytes\n", each.source,
                   each.destination, each.bytes);
  }
  return text;
}

}  // namespace pssp
