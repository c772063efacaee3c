#pragma once

// The pairs of hosts whose route crosses the busiest channels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct WorstPair {
  Flow pair;                 ///< positions in Fabric::endpoints()
  double largest_index = 0;  ///< largest edge forwarding index of a channel on the route
  double index_sum = 0;      ///< sum over the channels of the route
};

struct WorstPairs {
  /// Worst first: by descending largest_index, descending index_sum, source, destination.
  std::vector<WorstPair> pairs;
  /// Number of pairs whose route crosses a channel with the largest index of the first pair.
  std::uint64_t as_bad_as_the_first = 0;
};

/// The `top` worst ordered pairs of endpoints, over the routes to base LIDs. Excludes pairs without
/// a route, which verify() counts, and routes without channels. `loads` must be those of
/// channel_loads(). The result does not depend on the number of threads. O(endpoints * switches),
/// independent of the number of pairs, plus O(top) per endpoint in the worst case.
WorstPairs worst_pairs(const Fabric& fabric, const ForwardingTables& tables,
                       std::span<const std::uint64_t> loads, std::size_t top);

}  // namespace pssp
