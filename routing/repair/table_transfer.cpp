#include "routing/repair/table_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"

namespace pssp {

ForwardingTables transfer_tables(const Fabric& before, const ForwardingTables& tables,
                                 const Fabric& now) {
  std::vector<Guid> switches;
  switches.reserve(before.switch_count());
  for (const Switch& node : before.switches()) switches.push_back(node.guid);
  return transfer_tables(switches, tables, now);
}

ForwardingTables transfer_tables(std::span<const Guid> switches, const ForwardingTables& tables,
                                 const Fabric& now) {
  ForwardingTables transferred(now.switch_count(), std::max(tables.max_lid(), now.max_lid()));
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    const std::optional<SwitchId> to = now.find_switch(switches[s]);
    if (!to) continue;
    const auto row = tables.row(SwitchId(s));
    std::copy(row.begin(), row.end(),
              transferred.entries().begin() +
                  static_cast<std::ptrdiff_t>(to->value() * transferred.width()));
  }
  return transferred;
}

ForwardingTables transfer_tables(const LftFile& dump, const Fabric& now) {
  Lid max_lid = now.max_lid();
  for (const LftSwitch& from : dump.switches) {
    from.entries.for_each([&](Lid lid, PortNumber) { max_lid = std::max(max_lid, lid); });
  }
  ForwardingTables transferred(now.switch_count(), max_lid);
  bool has_common_switch = false;
  for (const LftSwitch& from : dump.switches) {
    const std::optional<SwitchId> to = now.find_switch(from.guid);
    if (!to) continue;
    has_common_switch = true;
    from.entries.for_each([&](Lid lid, PortNumber port) { transferred.set(*to, lid, port); });
  }
  if (!has_common_switch) {
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: none of its {} switches is in the topology, compared by GUID; "
                            "expected the tables of this fabric before the change, in a format "
                            "with GUIDs (opensm-lfts.dump, dump_fts, opensm.fdbs)",
                            dump.name, dump.switches.size()));
  }
  return transferred;
}

}  // namespace pssp
