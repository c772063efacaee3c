// opensm compares each block with the switch's and sends those that differ: block 0 to all
// switches, then block 1, and so on. It sorts switches by GUID in network byte order.

#include "evaluator/rerouting/block_writes.h"

#include <algorithm>

#include "routing/repair/table_transfer.h"

namespace pssp {

ForwardingTables tables_before_writing(const FabricChange& change, const RoutedState& before,
                                       const RoutedState& after) {
  return transfer_tables(change.before(), before.tables, after.fabric);
}

ServiceLevels levels_before_writing(const FabricChange& change, const RoutedState& before,
                                    const RoutedState& after) {
  ServiceLevels levels = *after.levels;
  const std::uint32_t last_lid = std::min(levels.max_lid(), before.levels->max_lid());
  for (std::uint32_t s = 0; s < change.switch_after().size(); ++s) {
    const std::uint32_t now = change.switch_after()[s];
    if (now == FabricChange::gone) continue;
    for (std::uint32_t lid = 1; lid <= last_lid; ++lid) {
      const ServiceLevel level = before.levels->at(SwitchId(s), static_cast<Lid>(lid));
      if (level != no_service_level) levels.set(SwitchId(now), static_cast<Lid>(lid), level);
    }
  }
  return levels;
}

TableChanges table_changes(const ForwardingTables& old_tables, const RoutedState& after) {
  TableChanges changes;
  const std::uint32_t last_lid = std::max(old_tables.max_lid(), after.tables.max_lid());
  const RoutedState old{after.fabric, old_tables};
  for (std::uint32_t s = 0; s < after.fabric.switch_count(); ++s) {
    const std::uint64_t entries_so_far = changes.entries;
    for (std::uint32_t lid = 1; lid <= last_lid; ++lid) {
      const Lid each = static_cast<Lid>(lid);
      if (old.entry(s, each) == after.entry(s, each)) continue;
      ++changes.entries;
      const BlockWrite write{s, lid / lids_per_block};
      if (changes.writes.empty() || changes.writes.back() != write) changes.writes.push_back(write);
    }
    if (changes.entries != entries_so_far) ++changes.switches;
  }
  const auto rank = [&](const BlockWrite& write) {
    return std::pair(write.block,
                     byte_swapped(after.fabric.switch_at(SwitchId(write.at_switch)).guid));
  };
  std::ranges::sort(changes.writes, {}, rank);
  return changes;
}

}  // namespace pssp
