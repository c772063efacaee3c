#pragma once

// The bytes that each host sent to each other host.

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

struct WeightedFlow {
  std::uint32_t source = 0, destination = 0;  ///< ranks: positions in Fabric::endpoints()
  double bytes = 0;
};

struct TrafficMatrix {
  std::vector<WeightedFlow> flows;  ///< each pair at most once
};

/// A pattern file of one level (docs/reference/patterns.md) with the bytes of each flow, in lines
/// such as "3 -> 17 | 1048576 bytes". It is read by `reroute_impact --traffic`, and by
/// `eval_lft --ptrn file:FILE --subset guid_asc --no-shuffle`, which counts flows. Leaves out flows
/// of less than half a byte. For a matrix without flows, the file is not a valid pattern. O(flows).
std::string traffic_text(const TrafficMatrix& matrix, std::uint32_t ranks);

}  // namespace pssp
