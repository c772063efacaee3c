#pragma once

// Tables of a damaged fabric from those of the whole one, so that tables return to the baseline
// when all is there again (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <span>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// Where a repair starts from, in the numbering of the fabric (table_transfer.h).
struct RepairStart {
  /// Tables of the fabric when nothing is missing.
  const ForwardingTables& baseline;
  /// By ChannelId, its cost (Fabric::channel_cost()) when nothing is missing; empty: as it is.
  std::span<const double> cost_at_baseline = {};
  /// Switches by preference (legal_order.h): all paths follow their usable_order(). Empty: any
  /// paths are legal.
  std::span<const std::uint32_t> preference = {};
};

/// Tables that are those of the baseline but for what is missing: an entry is another one where it
/// cannot be that of the baseline, or where what is missing has put more traffic on its way than on
/// others. They depend on the baseline, on what is missing and on the options, and on nothing that
/// happened in between. Where all of the baseline can stay and no channel costs more the tables are
/// those of the baseline, byte for byte.
///
/// Throws and costs as reroute_stably(). `changes` are those since the baseline.
StableRouting repair(const Fabric& fabric, const RepairStart& start,
                     const StableOptions& options = {}, const StopSignal& stop = {});

/// How tables of the fabric differ from those before, where `max_extra_hops` hops of non-minimal
/// path are allowed. O(entries), and O(channels) for each switch whose LIDs have other entries.
EntryChanges changes_since(const Fabric& fabric, const ForwardingTables& before,
                           const ForwardingTables& now, std::uint32_t max_extra_hops);

}  // namespace pssp
