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
std::vector<std::uint32_t> highest_rank_first(const Fabric& fabric) {
  const std::vector<std::uint32_t> ranks = switch_ranks(fabric);
  std::vector<std::uint32_t> switches = all_switches(fabric);
  std::ranges::stable_sort(switches, std::greater<>(),
                           [&](std::uint32_t s) { return ranks[s] == no_rank ? 0 : ranks[s] + 1; });
  return switches;
}

std::vector<std::uint32_t> nearest_to_leaves_first(const Fabric& fabric) {
  const std::vector<std::uint32_t> ranks = switch_ranks(fabric);
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

/// Whether a packet for the LID that goes down from a switch goes up again.
bool turns_up(const Fabric& fabric, const ForwardingTables& tables, const UpDownOrder& order,
              std::uint32_t s, Lid lid) {
  const PortTarget first = fabric.behind(SwitchId(s), tables.at(SwitchId(s), lid));
  if (first.kind != PortTarget::Kind::channel) return false;
  const std::uint32_t next = fabric.channel_head()[first.index];
  if (order.is_above(next, s)) return false;
  const PortTarget second = fabric.behind(SwitchId(next), tables.at(SwitchId(next), lid));
  return second.kind == PortTarget::Kind::channel &&
         order.is_above(fabric.channel_head()[second.index], next);
}

}  // namespace

std::vector<std::uint32_t> preferred_switches(const Fabric& tree, TreePreference preference) {
  return preference == TreePreference::highest_rank ? highest_rank_first(tree)
                                                    : nearest_to_leaves_first(tree);
}

std::vector<std::uint32_t> preferred_switches(const Fabric& complete) {
  for (const TreePreference preference : tree_preferences) {
    std::vector<std::uint32_t> switches = preferred_switches(complete, preference);
    if (sharing_factor(complete, usable_order(complete, switches)) <= most_sharing) return switches;
  }
  return {};
}

std::optional<UpDownOrder> tree_order(const Fabric& fabric) {
  if (!is_tree(fabric, switch_ranks(fabric))) return std::nullopt;
  return order_of(fabric, preferred_switches(complete_tree(fabric)));
}

std::optional<UpDownOrder> order_of(const Fabric& fabric,
                                    std::span<const std::uint32_t> preferred) {
  if (preferred.empty()) return std::nullopt;
  return usable_order(fabric, preferred);
}

bool follow_order(const Fabric& fabric, const ForwardingTables& tables, const UpDownOrder& order) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (lid <= tables.max_lid() && turns_up(fabric, tables, order, s, lid)) return false;
    }
  }
  return true;
}

std::optional<UpDownOrder> order_of_complete_tree(const Fabric& fabric) {
  if (!is_tree(fabric, switch_ranks(fabric)) || !infer_links(fabric).empty()) return std::nullopt;
  return usable_order(fabric, nearest_to_leaves_first(fabric));
}

Fabric complete_tree(const Fabric& fabric) {
  const std::vector<InferredLink> missing = infer_links(fabric);
  return missing.empty() ? fabric : with_links(fabric, missing);
}

}  // namespace pssp
