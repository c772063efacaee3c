#include "routing/repair/entry_changes.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {
namespace {

constexpr std::size_t run_length = 64;

PortNumber entry(const ForwardingTables& tables, std::uint32_t s, std::size_t lid) {
  return lid < tables.width() ? tables.row(SwitchId(s))[lid] : no_port;
}

}  // namespace

std::string describe(const EntryChanges& changes) {
  return fmt::format("{} entries kept, {} replaced, {} moved, {} added, {} removed", changes.kept,
                     changes.replaced, changes.moved, changes.added, changes.removed);
}

EntryChanges count_changes(const ForwardingTables& before, const ForwardingTables& now,
                           const CouldStay& could_stay) {
  EntryChanges changes;
  const std::size_t width = std::max(before.width(), now.width());
  const std::size_t common = std::min(before.width(), now.width());
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    const auto row_before = before.row(SwitchId(s)), row_now = now.row(SwitchId(s));
    for (std::size_t lid = 0; lid < width; ++lid) {
      // Most entries are equal, and long runs of them are compared and counted much faster.
      for (; lid % run_length == 0 && lid + run_length <= common; lid += run_length) {
        const auto same = row_now.subspan(lid, run_length);
        if (!std::ranges::equal(row_before.subspan(lid, run_length), same)) break;
        changes.kept += run_length - static_cast<std::size_t>(std::ranges::count(same, no_port));
      }
      if (lid == width) break;
      const PortNumber was = entry(before, s, lid);
      const PortNumber is = entry(now, s, lid);
      if (was == is) {
        changes.kept += was != no_port ? 1 : 0;
      } else if (was == no_port) {
        ++changes.added;
      } else if (is == no_port) {
        ++changes.removed;
      } else if (could_stay(SwitchId(s), static_cast<Lid>(lid))) {
        ++changes.moved;
      } else {
        ++changes.replaced;
      }
    }
  }
  return changes;
}

}  // namespace pssp
