#pragma once

// Routing again after a change of the fabric, with as few changes of the tables as possible
// (docs/explanation/incremental-rerouting.md).

#include <cstdint>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/entry_changes.h"

namespace pssp {

inline constexpr std::uint32_t max_stable_extra_hops = 15;

struct StableOptions {
  /// Hops that a route may be longer than the shortest between its ends, 0 ..
  /// max_stable_extra_hops. Longer ones are replaced, so it should be what the tables were made
  /// with.
  std::uint32_t max_extra_hops = 0;
  /// Entries for LIDs of no endpoint (switches, routers, aggregation nodes) stay wherever they
  /// arrive, on ways of any length. Engine updown and what follows its rules have such ways to the
  /// management ports of switches, and are free of deadlocks by them.
  bool keep_long_management_paths = false;
  /// Per cent by which fewer others the routes through an entry must merge with before it is moved
  /// for balance alone, 0 .. 100. 100: never.
  std::uint32_t least_gain = 30;
  /// Other paths for an entry that are looked at for balance, at most; about 10^8 a second.
  std::uint64_t max_probes = 300'000'000;
};

struct StableRouting {
  ForwardingTables tables;
  EntryChanges changes;
};

/// Tables for every LID of the fabric, complete and without loops, that differ little from
/// `previous`: tables in the numbering of the fabric (table_transfer.h), with any entries whatever.
/// With max_extra_hops 0 all ways are shortest, and what is replaced is the least that minimal
/// paths allow. The same input gives the same tables.
///
/// O(LIDs * switches + switches * channels), and O(channels) for each LID with entries to replace
/// or to move. Memory: three times the tables. Throws Error(mismatch) when `previous` is of another
/// number of switches, Error(usage) when the fabric has no LIDs or an option is out of range,
/// Stopped when asked to stop. Works on the calling thread alone.
StableRouting reroute_stably(const Fabric& fabric, const ForwardingTables& previous,
                             const StableOptions& options = {}, const StopSignal& stop = {});

/// Throws as reroute_stably() does on what no tables can be brought up to date from.
void require_possible(const Fabric& fabric, const ForwardingTables& previous,
                      const StableOptions& options);

}  // namespace pssp
