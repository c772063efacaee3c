#pragma once

// Which order of a job's nodes its pattern runs best in, with the tables as they are.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/placement/job_paths.h"
#include "operations/placement/placed_flows.h"

namespace pssp {

/// order[place] is a node of JobPaths; each node once.
using NodeOrder = std::vector<std::uint32_t>;

struct OrderCost {
  /// Mean over the rounds of the largest congestion of a flow, relative to the most that a host
  /// itself sends or receives in that round: 1 is the best there is. 1 without rounds.
  double slowest = 1;
  /// Mean over the flows of their part of the host's speed, relative to the same: 1 is the best.
  double bandwidth = 1;
  /// Flows without a way, or whose nodes do not both have the rail; in neither figure.
  std::uint64_t without_path = 0;
};

/// Of an order, by counting every flow. The rounds must be those of so many places and rails as the
/// paths have nodes and rails. O(flows * path lengths).
OrderCost cost_of_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                        std::span<const std::uint32_t> order);

struct OrderSearchOptions {
  std::uint64_t seed = 1;
  /// Visits of channels that the search may make, which bounds its time; at most most_steps steps.
  std::uint64_t visits = 45'000'000;
  std::uint64_t most_steps = 400'000;
};

/// Annealing from `start` over exchanges of two nodes and turns of short runs, on the sum over
/// rounds of the logarithm of what channels have above the host's own load, each as 8^(load /
/// host's load - 1), which sees the second busiest channel, too (Kirkpatrick, Gelatt, Vecchi,
/// "Optimization by Simulated Annealing", Science 220, 1983). The best order by cost_of_order()
/// that it has passed at its checks, `start` among them; it ends where that is 1. The same for the
/// same seed. Memory: rounds * channels.
NodeOrder search_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                       const NodeOrder& start, const OrderSearchOptions& options = {});

}  // namespace pssp
