#include "operations/placement/order_choice.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace pssp {
namespace {

/// Nodes of each leaf switch, in their order, leaves by their first node.
std::vector<NodeOrder> leaves_in_order(std::span<const std::uint32_t> order,
                                       std::span<const std::uint32_t> leaf_of) {
  std::vector<NodeOrder> leaves;
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (const std::uint32_t node : order) {
    const auto [found, is_new] = place.try_emplace(leaf_of[node], leaves.size());
    if (is_new) leaves.emplace_back();
    leaves[found->second].push_back(node);
  }
  return leaves;
}

bool is_better(const CandidateOrder& a, const CandidateOrder& b) {
  return a.cost.slowest < b.cost.slowest;
}

}  // namespace

NodeOrder order_by_leaf(std::span<const std::uint32_t> order,
                        std::span<const std::uint32_t> leaf_of) {
  NodeOrder result;
  for (const NodeOrder& leaf : leaves_in_order(order, leaf_of)) {
    result.insert(result.end(), leaf.begin(), leaf.end());
  }
  return result;
}

NodeOrder order_by_tree(
    std::span<const std::uint32_t> order, std::span<const std::uint32_t> leaf_of,
    const std::function<std::uint32_t(std::uint32_t node, std::uint32_t other)>& distance) {
  std::vector<NodeOrder> left = leaves_in_order(order, leaf_of);
  NodeOrder result;
  std::size_t next = 0;
  while (!left.empty()) {
    const NodeOrder leaf = std::move(left[next]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    result.insert(result.end(), leaf.begin(), leaf.end());
    std::uint32_t nearest = ~std::uint32_t{0};
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::uint32_t hops = distance(leaf.front(), left[i].front());
      if (i == 0 || hops < nearest) {
        nearest = hops;
        next = i;
      }
    }
  }
  return result;
}

ChosenOrder choose_order(const JobPaths& alternatives, const PlacedRounds& rounds,
                         std::vector<CandidateOrder> candidates, std::size_t habits,
                         const OrderSearchOptions& options) {
  for (CandidateOrder& each : candidates)
    each.cost = cost_of_order(alternatives, rounds, each.order);
  const auto best_start = std::min_element(candidates.begin(), candidates.end(), is_better);
  CandidateOrder found{"found", search_order(alternatives, rounds, best_start->order, options)};
  found.cost = cost_of_order(alternatives, rounds, found.order);
  candidates.push_back(std::move(found));
  const auto best_habit = std::min_element(
      candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(habits), is_better);
  const bool is_worth_it =
      best_habit->cost.slowest >= candidates.back().cost.slowest * (1 + least_gain);
  const std::size_t chosen = is_worth_it
                                 ? candidates.size() - 1
                                 : static_cast<std::size_t>(best_habit - candidates.begin());
  return {std::move(candidates), chosen};
}

}  // namespace pssp
