#pragma once

// Searches for the order of a job's nodes that suits its pattern best, with the current tables.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/placement/job_paths.h"
#include "operations/placement/placed_flows.h"

namespace pssp {

/// order[position] is a node of JobPaths; each node once.
using NodeOrder = std::vector<std::uint32_t>;

struct OrderCost {
  /// Mean over the rounds of the largest congestion of a flow, relative to the largest number of
  /// flows that a host sends or receives in that round: 1 is optimal. 1 without rounds.
  double slowest = 1;
  /// Mean over the flows of their share of the host's speed, relative to the same: 1 is optimal.
  double bandwidth = 1;
  /// Flows without a path, or whose nodes do not both have the rail; excluded from both figures.
  std::uint64_t without_path = 0;
};

/// The cost of an order, computed from every flow. The rounds must have as many positions and rails
/// as the paths have nodes and rails. O(flows * path lengths).
OrderCost cost_of_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                        std::span<const std::uint32_t> order);

struct OrderSearchOptions {
  std::uint64_t seed = 1;
  /// Limit of the search time in visits of channels; at most most_steps steps.
  std::uint64_t visits = 45'000'000;
  std::uint64_t most_steps = 400'000;
};

/// Simulated annealing from `start` with exchanges of two nodes and rotations of short runs. The
/// objective is the sum over rounds of the logarithm of the channels' excess over the host's own
/// load, each as 8^(load / host's load - 1), which includes the second busiest channel
/// (Kirkpatrick, Gelatt, Vecchi, "Optimization by Simulated Annealing", Science 220, 1983). Returns
/// the best order by cost_of_order() among the checked ones, including `start`; ends early at cost
/// 1. Depends only on the seed. Memory: rounds * channels.
NodeOrder search_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                       const NodeOrder& start, const OrderSearchOptions& options = {});

}  // namespace pssp
