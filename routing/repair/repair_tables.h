#pragma once

// Derives tables of a damaged fabric from the tables of the complete fabric, so that the baseline
// returns after the fault is repaired (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <span>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// The starting point of a repair, in the numbering of the fabric (table_transfer.h).
struct RepairStart {
  /// Tables of the complete fabric.
  const ForwardingTables& baseline;
  /// By ChannelId: the cost (Fabric::channel_cost()) in the complete fabric; empty: the current
  /// cost.
  std::span<const double> cost_at_baseline = {};
  /// Switches in preference order (legal_order.h): all paths follow their usable_order(). Empty:
  /// any path is legal.
  std::span<const std::uint32_t> preference = {};
};

/// Changes a baseline entry only if it cannot stay, or if missing links have put more traffic on
/// its path than on others. The result depends only on the baseline, on what is missing and on the
/// options, not on earlier events. If all entries can stay and no channel costs more, the tables
/// equal the baseline byte for byte.
///
/// Costs and errors as reroute_stably(). `changes` are relative to the baseline.
StableRouting repair(const Fabric& fabric, const RepairStart& start,
                     const StableOptions& options = {}, const StopSignal& stop = {});

/// The changes from `before` to the new tables of the fabric, if paths may have `max_extra_hops`
/// hops more than minimal. O(entries), plus O(channels) for each switch whose LIDs have changed
/// entries.
EntryChanges changes_since(const Fabric& fabric, const ForwardingTables& before,
                           const ForwardingTables& now, std::uint32_t max_extra_hops);

}  // namespace pssp
