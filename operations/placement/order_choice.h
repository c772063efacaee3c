#pragma once

// The usual orders of a job's nodes, and the choice of the order to write.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "operations/placement/order_search.h"

namespace pssp {

/// `order` grouped by leaf switch, leaves in the order of their first nodes; nodes of a leaf keep
/// their order. leaf_of[node] is any number that identifies its leaf switch. O(nodes log nodes).
NodeOrder order_by_leaf(std::span<const std::uint32_t> order,
                        std::span<const std::uint32_t> leaf_of);

/// The same, but each leaf is followed by the nearest remaining one: distance(node, other) is
/// called for the first nodes of two leaves; ties are broken by `order`. O(leaves^2).
NodeOrder order_by_tree(
    std::span<const std::uint32_t> order, std::span<const std::uint32_t> leaf_of,
    const std::function<std::uint32_t(std::uint32_t node, std::uint32_t other)>& distance);

struct CandidateOrder {
  std::string name;  ///< "given", "sorted", "by leaf", "by tree", "found"
  NodeOrder order;
  OrderCost cost = {};
};

struct ChosenOrder {
  std::vector<CandidateOrder> candidates;  ///< "found" is the last
  std::size_t chosen = 0;                  ///< index in candidates

  const CandidateOrder& best() const { return candidates[chosen]; }
};

/// Minimum gain over the better of "given" and "by leaf" that justifies a change.
inline constexpr double least_gain = 0.03;

/// Computes the costs of the candidates (ignoring their `cost`), and searches from the best of
/// them. `habits`: the number of first candidates that are usual orders; unless the found order is
/// better than the best of these by least_gain, that one is chosen, the first of equal ones. So the
/// result is never worse than any of them.
ChosenOrder choose_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                         std::vector<CandidateOrder> candidates, std::size_t habits,
                         const OrderSearchOptions& options = {});

}  // namespace pssp
