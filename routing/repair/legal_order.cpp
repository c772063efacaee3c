#include "routing/repair/legal_order.h"

#include "fabric/paths/up_down_order.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

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

bool all_are_legal(const Fabric& fabric, const ForwardingTables& tables, const UpDownOrder& order) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (lid <= tables.max_lid() && turns_up(fabric, tables, order, s, lid)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> legal_preference(const Fabric& fabric, const ForwardingTables& tables) {
  if (!is_tree(fabric, switch_ranks(fabric))) return {};
  const NumberedTree tree = number_by_structure(fabric);
  for (const std::vector<std::uint32_t>& of_tree : tree_preferences(complete_tree(tree.fabric))) {
    std::vector<std::uint32_t> preference;
    preference.reserve(fabric.switch_count());
    for (const std::uint32_t s : of_tree) {
      if (s < fabric.switch_count()) preference.push_back(tree.original[s].value());
    }
    if (all_are_legal(fabric, tables, usable_order(fabric, preference))) return preference;
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
