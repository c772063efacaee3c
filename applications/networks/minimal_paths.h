#pragma once

// All minimal paths between two switches, and the part of a flow on each link if the flow is
// divided evenly over them.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/hop_distances.h"

namespace pssp {

/// Parts are integers, so that sums do not depend on their order.
struct LinkPart {
  static constexpr std::uint32_t whole = std::uint32_t{1} << 31U;
  std::uint32_t link = 0;
  std::uint32_t part = whole;  ///< of `whole`, at least 1
};

class MinimalPaths {
 public:
  /// The fabric must outlive the object.
  explicit MinimalPaths(const Fabric& fabric);

  struct AllPaths {
    std::uint32_t hops = 0;       ///< channels of each
    std::vector<LinkPart> parts;  ///< by ChannelId, ascending; empty: one switch
  };
  /// Null if there is none. The first call searches towards `to`, further calls are O(1); results
  /// are stored, some dozens of bytes per link of the paths.
  const AllPaths* between(SwitchId from, SwitchId to);

 private:
  void search(SwitchId to);

  const Fabric& fabric_;
  HopDistances distances_;
  SwitchId searched_;                // destination of distances_ and path_counts_
  std::vector<double> path_counts_;  // number of minimal paths from each switch
  std::vector<double> share_;        // of the flow at each switch
  std::unordered_map<std::uint64_t, AllPaths> found_;
};

}  // namespace pssp
