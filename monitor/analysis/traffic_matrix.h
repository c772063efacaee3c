#pragma once

// Who sent how much to whom.

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

struct WeightedFlow {
  std::uint32_t source = 0, destination = 0;  ///< ranks: positions in Fabric::endpoints()
  double bytes = 0;
};

struct TrafficMatrix {
  std::vector<WeightedFlow> flows;  ///< none twice
};

/// A pattern file of one level (docs/reference/patterns.md) with the bytes of each flow, "3 -> 17 |
/// 1048576 bytes", as `reroute_impact --traffic` takes it; as `eval_lft --ptrn file:FILE --subset
/// guid_asc
/// --no-shuffle` does, which counts flows. Flows of less than half a byte are left out. A matrix
/// without flows is a file that is no pattern. O(flows).
std::string traffic_text(const TrafficMatrix& matrix, std::uint32_t ranks);

}  // namespace pssp
