#include "routing/engines/parts/trees/tree_order.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "fabric/paths/hop_distances.h"
#include "routing/engines/parts/trees/up_down_search.h"
#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// Orders of complete fat trees cost nothing, those of grown trees hardly anything.
constexpr double most_sharing = 1.01;

std::vector<std::uint32_t> all_switches(const Fabric& fabric) {
  std::vector<std::uint32_t> switches(fabric.switch_count());
  std::iota(switches.begin(), switches.end(), 0U);
  return switches;
}

/// Switches that reach no leaf come last.
std::vector<std::uint32_t> highest_rank_first(const Fabric& fabric,
                                              const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> switches = all_switches(fabric);
  std::ranges::stable_sort(switches, std::greater<>(),
                           [&](std::uint32_t s) { return ranks[s] == no_rank ? 0 : ranks[s] + 1; });
  return switches;
}

std::vector<std::uint32_t> most_central_first(const Fabric& fabric,
                                              const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint64_t> hops(fabric.switch_count(), 0);
  HopDistances distances(fabric);
  for (std::uint32_t leaf = 0; leaf < fabric.switch_count(); ++leaf) {
    if (ranks[leaf] != 0) continue;
    distances.search(SwitchId(leaf));
    for (const std::uint32_t s : distances.order()) hops[s] += distances.distance()[s];
  }
  std::vector<std::uint32_t> switches = all_switches(fabric);
  std::ranges::stable_sort(switches, {}, [&](std::uint32_t s) { return hops[s]; });
  return switches;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> tree_preferences(const Fabric& tree) {
  const std::vector<std::uint32_t> ranks = switch_ranks(tree);
  return {highest_rank_first(tree, ranks), most_central_first(tree, ranks)};
}

std::optional<UpDownOrder> tree_order(const Fabric& fabric, const Fabric& complete) {
  for (const std::vector<std::uint32_t>& preference : tree_preferences(complete)) {
    if (sharing_factor(complete, usable_order(complete, preference)) <= most_sharing)
      return usable_order(fabric, preference);
  }
  return std::nullopt;
}

std::optional<UpDownOrder> tree_order(const Fabric& fabric) {
  if (!is_tree(fabric, switch_ranks(fabric))) return std::nullopt;
  return tree_order(fabric, complete_tree(fabric));
}

std::optional<UpDownOrder> order_of_complete_tree(const Fabric& fabric) {
  const std::vector<std::uint32_t> ranks = switch_ranks(fabric);
  if (!is_tree(fabric, ranks) || !infer_links(fabric).empty()) return std::nullopt;
  return usable_order(fabric, most_central_first(fabric, ranks));
}

Fabric complete_tree(const Fabric& fabric) {
  const std::vector<InferredLink> missing = infer_links(fabric);
  return missing.empty() ? fabric : with_links(fabric, missing);
}

}  // namespace pssp
