#pragma once

// The orders that a job's nodes are started in by habit, and the one that is worth writing.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "operations/placement/order_search.h"

namespace pssp {

/// `order` by leaf switch, those first whose first node comes first in `order`; within one as
/// there. leaf_of[node] is any number of its leaf switch. O(nodes log nodes).
NodeOrder order_by_leaf(std::span<const std::uint32_t> order,
                        std::span<const std::uint32_t> leaf_of);

/// The same, but each leaf is followed by the nearest that is left: distance(node, other) is asked
/// for first nodes of two leaves, and of equal ones the first in `order` comes first. O(leaves^2).
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
  std::size_t chosen = 0;                  ///< of them

  const CandidateOrder& best() const { return candidates[chosen]; }
};

/// What a change must gain over the better of "given" and "by leaf" to be worth it.
inline constexpr double least_gain = 0.03;

/// Costs of the candidates, whose `cost` is passed over, and of what is found from the best of
/// them. `habits`: so many of the first candidates people have anyway; unless what is found is
/// better by least_gain than the best of these, that one is chosen, the first of equal ones. So
/// the answer is never worse than any of them.
ChosenOrder choose_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                         std::vector<CandidateOrder> candidates, std::size_t habits,
                         const OrderSearchOptions& options = {});

}  // namespace pssp
