#pragma once

// Tables of a damaged fabric from those of the whole one, so that tables come home when all is
// there again (docs/stable.md).

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// Where a mending starts from, in the numbering of the fabric (table_transfer.h).
struct MendingStart {
  /// Tables of the fabric when nothing is missing.
  const ForwardingTables& home;
  /// What the switches have now; null: nothing that is worth keeping.
  const ForwardingTables* in_force = nullptr;
  /// Switches, cables between them and their rates are those that `in_force` was made for.
  bool same_cables = false;
  /// By ChannelId, its cost (Fabric::channel_cost()) when nothing is missing; empty: as it is.
  std::span<const double> cost_at_home = {};
  /// By SwitchId, ranks by which all ways at home are legal (legal_ranks()): those of what is
  /// mended are then, too, where there are such. Empty: all shortest ways will do.
  std::span<const std::uint32_t> ranks = {};
};

/// Ranks of the switches of a tree whose tables lead up by rank and then down: such tables need one
/// virtual lane, and ways that are merely short may need more. Empty where the fabric is no tree or
/// some way to an endpoint turns up again. Entries that lead nowhere do not count. O(entries).
std::vector<std::uint32_t> legal_ranks(const Fabric& fabric, const ForwardingTables& tables);

/// Tables that are those of home but for what is missing: an entry is another one where it cannot
/// be that of home, or where what is missing has put more traffic on its way than on others. So
/// they depend on home and on what is missing, and of choices that are equally good (least_gain)
/// the one in force stays. Where all of home can stay and no channel costs more the tables are
/// those of home, byte for byte. With `same_cables` nothing but trees that are not whole is looked
/// at: what happens to one host moves no entry for another.
///
/// Throws and costs as reroute_stably(). `changes` are those since `in_force`, where there is one.
StableRouting mend(const Fabric& fabric, const MendingStart& start,
                   const StableOptions& options = {}, const StopSignal& stop = {});

}  // namespace pssp
