#include "routing/repair/legal_paths.h"

#include <algorithm>
#include <utility>

#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// Whether a packet for the LID that goes down from a switch goes up or along a level again.
/// `is_above`: of two neighbours, whether the first is above the second.
template <class IsAbove>
bool turns_up(const Fabric& fabric, const ForwardingTables& tables, const IsAbove& is_above,
              std::uint32_t s, Lid lid) {
  const PortTarget first = fabric.behind(SwitchId(s), tables.at(SwitchId(s), lid));
  if (first.kind != PortTarget::Kind::channel) return false;
  const std::uint32_t next = fabric.channel_head()[first.index];
  if (is_above(next, s)) return false;
  if (!is_above(s, next)) return true;
  const PortTarget second = fabric.behind(SwitchId(next), tables.at(SwitchId(next), lid));
  return second.kind == PortTarget::Kind::channel &&
         !is_above(next, fabric.channel_head()[second.index]);
}

template <class IsAbove>
bool any_path_appears(const Fabric& fabric, const ForwardingTables& tables,
                      const IsAbove& is_above) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (lid > tables.max_lid() || !fabric.is_endpoint_lid(lid)) continue;
      if (turns_up(fabric, tables, is_above, s, lid)) return true;
    }
  }
  return false;
}

/// The one that engines keep to (heal.cpp): of the tree without holes, numbered by its structure.
UpDownOrder order_of_engines(const Fabric& fabric) {
  const NumberedTree tree = number_by_structure(fabric);
  const std::vector<InferredLink> missing = infer_links(tree.fabric);
  const Fabric whole = missing.empty() ? tree.fabric : with_links(tree.fabric, missing);
  const UpDownOrder order = OrderGrower(whole, 1).grow(0, Growth::central_first);
  std::vector<std::uint32_t> highest_first;
  for (const std::uint32_t s : order.highest_first()) {
    if (s < fabric.switch_count()) highest_first.push_back(tree.original[s].value());
  }
  return usable_order(fabric, highest_first);
}

}  // namespace

LegalPaths legal_paths(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<std::uint32_t> ranks = switch_ranks(fabric);
  if (!is_tree(fabric, ranks)) return {};
  if (has_endpoints_above_leaves(fabric, ranks)) {
    UpDownOrder order = order_of_engines(fabric);
    const auto by_order = [&](std::uint32_t a, std::uint32_t b) { return order.is_above(a, b); };
    if (!any_path_appears(fabric, tables, by_order)) return {{}, std::move(order)};
  }
  const auto by_rank = [&](std::uint32_t a, std::uint32_t b) { return ranks[a] > ranks[b]; };
  if (any_path_appears(fabric, tables, by_rank)) return {};
  return {std::move(ranks), std::nullopt};
}

LegalPaths legal_paths_on(const Fabric& left, const LegalPaths& whole, const Fabric& of_whole) {
  LegalPaths paths;
  const auto in_whole = [&](SwitchId s) {
    return of_whole.find_switch(left.switch_at(s).guid)->value();
  };
  if (!whole.ranks.empty()) {
    for (std::uint32_t s = 0; s < left.switch_count(); ++s) {
      paths.ranks.push_back(whole.ranks[in_whole(SwitchId(s))]);
    }
  } else if (whole.order) {
    std::vector<std::uint32_t> highest_first;
    for (const std::uint32_t s : whole.order->highest_first()) {
      const auto now = left.find_switch(of_whole.switch_at(SwitchId(s)).guid);
      if (now) highest_first.push_back(now->value());
    }
    paths.order = usable_order(left, highest_first);
  }
  return paths;
}

}  // namespace pssp
