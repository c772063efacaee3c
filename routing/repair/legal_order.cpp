#include "routing/repair/legal_order.h"

#include "fabric/paths/up_down_order.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
std::vector<std::uint32_t> legal_preference(const Fabric& fabric, const ForwardingTables& tables) {
  if (!is_tree(fabric, switch_ranks(fabric))) return {};
  const NumberedTree tree = number_by_structure(fabric);
  const Fabric complete = complete_tree(tree.fabric);
  for (const TreePreference preference : tree_preferences) {
    std::vector<std::uint32_t> switches;
    switches.reserve(fabric.switch_count());
    for (const std::uint32_t s : preferred_switches(complete, preference)) {
      if (s < fabric.switch_count()) switches.push_back(tree.original[s].value());
    }
    if (follow_order(fabric, tables, usable_order(fabric, switches))) return switches;
  }
  return {};
}

std::vector<std::uint32_t> restricted_preference(const Fabric& left,
                                                 std::span<const std::uint32_t> preference,
                                                 const Fabric& whole) {
  std::vector<std::uint32_t> restricted;
  restricted.reserve(left.switch_count());
  for (const std::uint32_t s : preference) {
    const auto now = left.find_switch(whole.switch_at(SwitchId(s)).guid);
    if (now) restricted.push_back(now->value());
  }
  return restricted;
}

}  // namespace pssp
