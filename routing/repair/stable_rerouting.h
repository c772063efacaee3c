#pragma once

// Routes a changed fabric with as few changed entries as possible
// (docs/explanation/incremental-rerouting.md).

#include <cstdint>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/entry_changes.h"

namespace pssp {

inline constexpr std::uint32_t max_stable_extra_hops = 15;

struct StableOptions {
  /// Hops that a path may be longer than minimal, 0 .. max_stable_extra_hops. Longer paths are
  /// replaced, so use the value with which the tables were computed.
  std::uint32_t max_extra_hops = 0;
  /// Entries for LIDs of no endpoint (switches, routers, aggregation nodes) stay if they reach
  /// their destination on a path of any length. Engines with the rules of updown have such long
  /// paths to management ports of switches, and are deadlock-free only with them.
  bool keep_long_management_paths = false;
  /// An entry moves for balance only if its routes then contend with fewer others by this
  /// percentage, 0 .. 100. 100: never.
  std::uint32_t least_gain = 30;
  /// Limit of the alternative paths examined for balance; about 10^8 per second.
  std::uint64_t max_probes = 300'000'000;
};

struct StableRouting {
  ForwardingTables tables;
  EntryChanges changes;
};

/// Returns complete, loop-free tables for every LID of the fabric that differ little from
/// `previous`, which must be in the numbering of the fabric (table_transfer.h) and may have any
/// entries. With max_extra_hops 0 all paths are minimal, and as few entries are replaced as minimal
/// paths allow. The same input gives the same tables.
///
/// O(LIDs * switches + switches * channels), plus O(channels) for each LID with replaced or moved
/// entries. Memory: three times the tables. Throws Error(mismatch) if `previous` has another number
/// of switches, Error(usage) if the fabric has no LIDs or an option is out of range, and Stopped
/// when stopped. Uses only the calling thread.
StableRouting reroute_stably(const Fabric& fabric, const ForwardingTables& previous,
                             const StableOptions& options = {}, const StopSignal& stop = {});

/// Throws the errors of reroute_stably() for invalid arguments.
void require_possible(const Fabric& fabric, const ForwardingTables& previous,
                      const StableOptions& options);

}  // namespace pssp
