#pragma once

// Congestion of the flows of a permutation: how many flows share each channel of a path.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/flows/flow_paths.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/patterns/flow.h"

namespace pssp {

/// Counts flows on channels. Reusable for any number of patterns; one object per thread. The store
/// must outlive it. LinkLoads is slower, but accepts patterns of any kind.
class CongestionCounter {
 public:
  explicit CongestionCounter(const RouteStore& routes);

  /// For each flow the largest congestion on its path: the number of flows over a channel in the
  /// same direction (links are full duplex) times the channel's cost, maximized over the channels
  /// of the path and the links of both end ports. Infinity without a route; such a flow adds to no
  /// channel. Every end port must be the source of at most one flow and the destination of at most
  /// one. The result is valid until the next call. O(sum of the path lengths).
  std::span<const double> largest_congestion(std::span<const Flow> flows);

 private:
  void start_with_own_links(std::span<const Flow> flows);
  template <class Index>
  void count(const FlowPaths::Cells<Index>& paths);
  template <class Index>
  void find_largest(const FlowPaths::Cells<Index>& paths);

  const RouteStore& routes_;
  FlowPaths paths_;
  std::vector<std::uint16_t> load_;  // flows on each slot
  std::vector<double> congestion_;
};

}  // namespace pssp
