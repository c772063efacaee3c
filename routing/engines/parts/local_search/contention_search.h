#pragma once

// Lowering the number of merging pairs of routes (route_merges.h) by moving single entries.

#include <cstdint>
#include <limits>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/structured_counts.h"

namespace pssp {

struct ContentionSearchOptions {
  std::uint32_t max_extra_hops = 0;  ///< hops that a moved route may be longer than the shortest
  /// Passes over all destinations that only make moves that lower the count.
  std::uint32_t max_passes = 0;
  /// Passes before them that also make moves that raise it, fewer and fewer (simulated annealing).
  std::uint32_t noisy_passes = 0;
  /// Begin with no routes and add one destination after the other, each moved to where it merges
  /// least with those before it; else all routes of the tables are there from the beginning.
  bool grow = false;
  /// Other paths for an entry that are looked at in all passes together; about 10^8 a second.
  std::uint64_t max_probes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t seed = 1;  ///< of the noise
  /// Null: any paths. Else all paths stay legal by this usable order, and the shortest such paths;
  /// the tables must have these, as those of engine updown do, and max_extra_hops is 0.
  const UpDownOrder* up_down = nullptr;
  /// The first LIDs' routes are also moved away from those that they meet in structured traffic.
  /// Without `grow`.
  StructuredWeights structured = {};
  /// Entries for the other LIDs stay: routes that keep apart from their siblings would not come out
  /// better by this count.
  bool only_first_lids = false;
  /// Null, or tables in the fabric's numbering: an entry that they have stays.
  const ForwardingTables* fixed = nullptr;
};

/// Takes one destination after the other and moves its entries, switch by switch, to where its
/// routes merge with the fewest routes to other destinations; pass after pass, until a pass changes
/// little or the limits are reached.
///
/// The tables must be complete, without loops, and no switch's way longer than the shortest plus
/// max_extra_hops; so they are afterwards. With LMC > 0 the first LIDs of all ports are treated as
/// if there were no others; then the second ones, which keep away from the first; and so on.
/// Entries for LIDs of no endpoint stay. O(passes * LIDs * channels) time with max_extra_hops 0,
/// times the hops of a way beyond. The same input gives the same tables. Throws Stopped; the tables
/// are then complete, but not finished. Returns by how much the count fell in the passes without
/// noise: contending_pairs() and structured_pairs() together.
double reduce_contention(const Fabric& fabric, ForwardingTables& tables,
                         const ContentionSearchOptions& options, const StopSignal& stop = {});

/// Looks of one pass over the first LIDs of all endpoints, at most. O(switches with endpoints *
/// channels).
std::uint64_t probes_per_pass(const Fabric& fabric, std::uint32_t max_extra_hops);

}  // namespace pssp
