#pragma once

// Lowers the contention of routes (route_contention.h) by changing single entries.

#include <cstdint>
#include <limits>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/structured_counts.h"

namespace pssp {

struct ContentionSearchOptions {
  std::uint32_t max_extra_hops = 0;  ///< hops by which changed routes may exceed the minimum
  /// Passes over all destinations that only make changes that lower the contention.
  std::uint32_t max_passes = 0;
  /// Passes before them that also make changes that raise it, fewer and fewer (simulated
  /// annealing).
  std::uint32_t noisy_passes = 0;
  /// Start with no routes and add one destination after the other, each with the least contention
  /// with those before it; else start with all routes of the tables.
  bool grow = false;
  /// Probes in all passes together; about 10^8 a second.
  std::uint64_t max_probes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t seed = 1;  ///< of the noise
  /// Null: any paths. Else all paths must be and stay the shortest that are legal by this usable
  /// order, as those of engine updown are, and max_extra_hops must be 0.
  const UpDownOrder* up_down = nullptr;
  /// Weights of the contention in structured traffic, for routes to base LIDs. Not with `grow`.
  StructuredWeights structured = {};
  /// Keep all entries for additional LIDs: this search ignores whether the routes to the LIDs of
  /// one host share channels.
  bool only_first_lids = false;
  /// Null, or tables in the numbering of the fabric: entries that they contain stay.
  const ForwardingTables* fixed = nullptr;
};

/// Visits one destination after the other, and switch by switch changes its entries to the next hop
/// with the least contention with routes to other destinations. Repeats this until a pass gains
/// little or the limits are reached.
///
/// The tables must be complete and without loops, and paths may exceed the minimal hop count by at
/// most max_extra_hops; all of this stays true. With LMC > 0, the base LIDs are optimized alone;
/// then the second LIDs, which avoid contention with them; and so on. Entries for LIDs that belong
/// to no endpoint stay. O(passes * LIDs * channels) time with max_extra_hops 0, else times the hops
/// of a path. The same input gives the same tables. Throws Stopped, with complete tables. Returns
/// the decrease of contending_pairs() + structured_pairs() in the passes without noise.
double reduce_contention(const Fabric& fabric, ForwardingTables& tables,
                         const ContentionSearchOptions& options, const StopSignal& stop = {});

/// The largest number of probes of one pass over the base LIDs of all endpoints. O(switches with
/// endpoints * channels).
std::uint64_t probes_per_pass(const Fabric& fabric, std::uint32_t max_extra_hops);

}  // namespace pssp
